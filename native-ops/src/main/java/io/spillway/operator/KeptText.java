package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import org.apache.spark.unsafe.Platform;

/**
 * A string value that outlives the memory in which its bytes lay. Its memory is the operator's.
 * Used by the task's thread alone.
 */
final class KeptText {
  private final OperatorMemory memory;
  private final long value;
  private NativeBlock text;

  /**
   * @param value address of the {@code spw_str}
   */
  KeptText(OperatorMemory memory, long value) {
    this.memory = memory;
    this.value = value;
  }

  /** Copies the bytes, where they are not copied yet. */
  void keep() {
    int length = Platform.getInt(null, value);
    if (length <= Abi.STR_INLINE_BYTES) {
      return;
    }
    long bytes = Platform.getLong(null, value + Abi.STR_ADDRESS);
    if (text != null && bytes == text.address()) {
      return;
    }
    if (text == null || text.size() < length) {
      NativeBlock larger = memory.allocate(length);
      if (text != null) {
        text.close();
      }
      text = larger;
    }
    Platform.copyMemory(null, bytes, null, text.address(), length);
    Platform.putLong(null, value + Abi.STR_ADDRESS, text.address());
  }
}
