package io.spillway.operator;

import org.apache.spark.unsafe.Platform;

/** Writes values that Spark has boxed to where kernels read them. Stateless. */
final class BoxedValue {
  private BoxedValue() {}

  /**
   * Writes a boolean or a number of a fixed width.
   *
   * @return false if the value is something else; nothing is written then
   */
  static boolean put(long target, Object value) {
    if (value instanceof Boolean bool) {
      Platform.putByte(null, target, (byte) (bool ? 1 : 0));
    } else if (value instanceof Byte number) {
      Platform.putByte(null, target, number);
    } else if (value instanceof Short number) {
      Platform.putShort(null, target, number);
    } else if (value instanceof Integer number) {
      Platform.putInt(null, target, number);
    } else if (value instanceof Long number) {
      Platform.putLong(null, target, number);
    } else if (value instanceof Float number) {
      Platform.putFloat(null, target, number);
    } else if (value instanceof Double number) {
      Platform.putDouble(null, target, number);
    } else {
      return false;
    }
    return true;
  }
}
