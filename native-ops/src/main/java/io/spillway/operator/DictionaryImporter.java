package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.Kernels;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.execution.vectorized.Dictionary;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.Platform;

/**
 * Decodes dictionary-encoded columns: every entry once, then one gather a batch.
 *
 * <p>Spark's {@link Dictionary} does not tell its size, so entries are decoded up to the largest id
 * seen. A dictionary larger than the limit, or one there is no memory for, is left to the getters:
 * caching it must never push an operator's state to disk. Used by one thread.
 */
final class DictionaryImporter {
  private final OperatorMemory memory;
  private final int nativeType;
  private final boolean narrowDecimal;
  private final long limitBytes;

  private Dictionary dictionary;
  private boolean tooLarge;
  private int entries;
  private long bytes;
  private NativeBlock values;
  private NativeBlock ids;
  private final List<NativeBlock> texts = new ArrayList<>();

  DictionaryImporter(OperatorMemory memory, DataType type, int nativeType, long limitBytes) {
    this.memory = memory;
    this.nativeType = nativeType;
    this.limitBytes = limitBytes;
    this.narrowDecimal =
        type instanceof DecimalType decimal && decimal.precision() <= Decimal.MAX_INT_DIGITS();
  }

  /**
   * Decodes rows {@code [start, start + rows)} to {@code target}.
   *
   * @return false if this column has to go through the getters
   */
  boolean load(WritableColumnVector source, int start, int rows, long nulls, long target) {
    Dictionary current = SparkVectors.dictionary(source);
    if (!ParquetDictionaries.same(current, dictionary)) {
      clear();
    }
    dictionary = current;
    // Long decimals would be decoded from bytes entry by entry: the getters do that as well.
    if (tooLarge
        || nativeType == Abi.T_I128
        || !(source.getDictionaryIds() instanceof OnHeapColumnVector)) {
      return false;
    }
    int[] rowIds = SparkVectors.ints((OnHeapColumnVector) source.getDictionaryIds());
    int largest = -1;
    for (int row = 0; row < rows; row++) {
      if (nulls == 0 || Platform.getByte(null, nulls + row) == 0) {
        largest = Math.max(largest, rowIds[start + row]);
      }
    }
    if ((largest >= entries && !decodeTo(largest + 1)) || !reserveIds(rows)) {
      tooLarge = true;
      return false;
    }
    Platform.copyMemory(
        rowIds, Platform.INT_ARRAY_OFFSET + 4L * start, null, ids.address(), 4L * rows);
    Kernels.dictionary(
        nativeType,
        values == null ? 0 : values.address(),
        entries,
        ids.address(),
        nulls,
        rows,
        target);
    return true;
  }

  private boolean reserveIds(int rows) {
    if (ids == null || ids.size() < 4L * rows) {
      if (ids != null) {
        ids.close();
      }
      ids = memory.tryAllocate(4L * rows);
    }
    return ids != null;
  }

  private boolean decodeTo(int count) {
    int width = Abi.width(nativeType);
    if (values == null || values.size() < (long) count * width) {
      long wanted = Math.max((long) count * width, Math.min(2L * count * width, limitBytes));
      NativeBlock larger = bytes + wanted > limitBytes ? null : memory.tryAllocate(wanted);
      if (larger == null) {
        return false;
      }
      if (values != null) {
        Platform.copyMemory(null, values.address(), null, larger.address(), (long) entries * width);
        values.close();
      }
      values = larger;
    }
    if (nativeType == Abi.T_STR) {
      return decodeStrings(count);
    }
    for (int id = entries; id < count; id++) {
      decode(id, values.address() + (long) id * width);
    }
    entries = count;
    return true;
  }

  private void decode(int id, long target) {
    switch (nativeType) {
      case Abi.T_BOOL -> Platform.putByte(null, target, (byte) dictionary.decodeToInt(id));
      case Abi.T_I8 -> Platform.putByte(null, target, (byte) dictionary.decodeToInt(id));
      case Abi.T_I16 -> Platform.putShort(null, target, (short) dictionary.decodeToInt(id));
      case Abi.T_I32 -> Platform.putInt(null, target, dictionary.decodeToInt(id));
      case Abi.T_I64 ->
          Platform.putLong(
              null,
              target,
              narrowDecimal ? dictionary.decodeToInt(id) : dictionary.decodeToLong(id));
      case Abi.T_F32 -> Platform.putFloat(null, target, dictionary.decodeToFloat(id));
      case Abi.T_F64 -> Platform.putDouble(null, target, dictionary.decodeToDouble(id));
      default -> throw new IllegalStateException("not a fixed-width kernel type: " + nativeType);
    }
  }

  private boolean decodeStrings(int count) {
    int added = count - entries;
    byte[][] decoded = new byte[added][];
    long total = 0;
    for (int i = 0; i < added; i++) {
      decoded[i] = dictionary.decodeToBinary(entries + i);
      total += decoded[i].length;
    }
    long placesBytes = 8L * added;
    if (bytes + values.size() + total > limitBytes) {
      return false;
    }
    NativeBlock text = memory.tryAllocate(Math.max(1, total));
    NativeBlock places = memory.tryAllocate(placesBytes);
    if (text == null || places == null) {
      if (text != null) {
        text.close();
      }
      if (places != null) {
        places.close();
      }
      return false;
    }
    texts.add(text);
    int at = 0;
    for (int i = 0; i < added; i++) {
      StringImporter.copy(decoded[i], text.address() + at, decoded[i].length);
      Platform.putInt(null, places.address() + 4L * i, at);
      Platform.putInt(null, places.address() + 4L * (added + i), decoded[i].length);
      at += decoded[i].length;
    }
    Kernels.strings(
        places.address(),
        places.address() + 4L * added,
        text.address(),
        at,
        0,
        added,
        values.address() + (long) entries * Abi.STR_SIZE);
    places.close();
    bytes += total;
    entries = count;
    return true;
  }

  private void clear() {
    if (values != null) {
      values.close();
      values = null;
    }
    texts.forEach(NativeBlock::close);
    texts.clear();
    entries = 0;
    bytes = 0;
    tooLarge = false;
  }
}
