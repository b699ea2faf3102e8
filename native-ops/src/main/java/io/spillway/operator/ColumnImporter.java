package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.memory.OperatorMemory;
import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.unsafe.Platform;

/**
 * Brings one column of any columnar child into the kernels' form, a range of rows at a time.
 *
 * <p>A native column is passed on as it is, an off-heap vector of Spark's reader likewise where its
 * form is the kernels'. On-heap vectors are copied array-wise, dictionaries decoded once an entry;
 * everything else goes through the vector's getters. What is loaded stays valid until the next
 * load. Used by one thread.
 */
final class ColumnImporter {
  private final OperatorMemory memory;
  private final int capacityRows;
  private final int nativeType;
  private final boolean narrowDecimal;
  private final NativeVector vector;
  private final GetterImporter getters;
  private final StringImporter strings;
  private final DictionaryImporter dictionaries;
  private ColumnBuffer buffer;

  /**
   * @param capacityRows the most rows of one load
   * @param dictionaryLimitBytes dictionaries that would take more are decoded row by row
   * @param textLimitBytes loads of several rows whose strings take more are refused
   */
  ColumnImporter(
      OperatorMemory memory,
      DataType type,
      int capacityRows,
      long dictionaryLimitBytes,
      long textLimitBytes) {
    this.memory = memory;
    this.capacityRows = capacityRows;
    this.vector = new NativeVector(type);
    this.nativeType = vector.nativeType();
    this.narrowDecimal =
        type instanceof DecimalType decimal && decimal.precision() <= Decimal.MAX_INT_DIGITS();
    this.strings = new StringImporter(memory, nativeType, textLimitBytes);
    this.getters = new GetterImporter(type, nativeType, strings);
    this.dictionaries = new DictionaryImporter(memory, type, nativeType, dictionaryLimitBytes);
  }

  /**
   * Loads rows {@code [start, start + rows)}.
   *
   * @return the column, valid until the next load
   * @throws org.apache.spark.memory.SparkOutOfMemoryError if the strings of these rows have no room
   * @throws SliceTooLargeException if they would take more than their part of the share
   */
  NativeVector load(ColumnVector source, int start, int rows) {
    if (source instanceof NativeVector view) {
      long width = Abi.width(nativeType);
      return vector.pointTo(
          view.values() + start * width, view.nulls() == 0 ? 0 : view.nulls() + start, rows);
    }
    if (SparkVectors.available()
        && source instanceof WritableColumnVector writable
        && !SparkVectors.isAllNull(writable)
        && loadStorage(writable, start, rows)) {
      return vector;
    }
    ColumnBuffer target = buffer();
    boolean nulls = getters.load(source, start, rows, target.values(), target.nulls());
    return vector.pointTo(target.values(), nulls ? target.nulls() : 0, rows);
  }

  /** Reads the storage of Spark's own vectors; false if this one has to go through the getters. */
  private boolean loadStorage(WritableColumnVector source, int start, int rows) {
    if (source instanceof OnHeapColumnVector onHeap) {
      return onHeap.hasDictionary()
          ? loadEncoded(onHeap, start, rows)
          : loadOnHeap(onHeap, start, rows);
    }
    if (source instanceof OffHeapColumnVector offHeap
        && !offHeap.hasDictionary()
        && isFixedAndSame()) {
      vector.pointTo(
          offHeap.valuesNativeAddress() + start * (long) Abi.width(nativeType),
          offHeap.hasNull() ? SparkVectors.nulls(offHeap) + start : 0,
          rows);
      return true;
    }
    return false;
  }

  /** Whether Spark's vectors hold this type's values as fixed-width kernel values. */
  private boolean isFixedAndSame() {
    return nativeType != Abi.T_STR && nativeType != Abi.T_I128 && !narrowDecimal;
  }

  private boolean loadOnHeap(OnHeapColumnVector source, int start, int rows) {
    ColumnBuffer target = buffer();
    long nulls = copyNulls(source, start, rows, target);
    long values = target.values();
    switch (nativeType) {
      case Abi.T_BOOL, Abi.T_I8 ->
          copy(SparkVectors.bytes(source), Platform.BYTE_ARRAY_OFFSET, start, 1, rows, values);
      case Abi.T_I16 ->
          copy(SparkVectors.shorts(source), Platform.SHORT_ARRAY_OFFSET, start, 2, rows, values);
      case Abi.T_I32 ->
          copy(SparkVectors.ints(source), Platform.INT_ARRAY_OFFSET, start, 4, rows, values);
      case Abi.T_I64 -> {
        if (narrowDecimal) {
          int[] ints = SparkVectors.ints(source);
          for (int row = 0; row < rows; row++) {
            Platform.putLong(null, values + 8L * row, ints[start + row]);
          }
        } else {
          copy(SparkVectors.longs(source), Platform.LONG_ARRAY_OFFSET, start, 8, rows, values);
        }
      }
      case Abi.T_F32 ->
          copy(SparkVectors.floats(source), Platform.FLOAT_ARRAY_OFFSET, start, 4, rows, values);
      case Abi.T_F64 ->
          copy(SparkVectors.doubles(source), Platform.DOUBLE_ARRAY_OFFSET, start, 8, rows, values);
      default -> strings.load(source, start, rows, nulls, values);
    }
    vector.pointTo(values, nulls, rows);
    return true;
  }

  private boolean loadEncoded(OnHeapColumnVector source, int start, int rows) {
    ColumnBuffer target = buffer();
    long nulls = copyNulls(source, start, rows, target);
    if (!dictionaries.load(source, start, rows, nulls, target.values())) {
      return false;
    }
    vector.pointTo(target.values(), nulls, rows);
    return true;
  }

  private static long copyNulls(
      OnHeapColumnVector source, int start, int rows, ColumnBuffer target) {
    if (!source.hasNull()) {
      return 0;
    }
    copy(SparkVectors.nulls(source), Platform.BYTE_ARRAY_OFFSET, start, 1, rows, target.nulls());
    return target.nulls();
  }

  private static void copy(
      Object array, int arrayOffset, int start, int width, int rows, long target) {
    Platform.copyMemory(
        array, arrayOffset + (long) start * width, null, target, (long) rows * width);
  }

  private ColumnBuffer buffer() {
    if (buffer == null) {
      buffer = ColumnBuffer.allocate(memory, nativeType, capacityRows);
    }
    return buffer;
  }
}
