package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.ExchangeAbi;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.Platform;

/**
 * Where the columns lie in a chunk: a {@code spw_exchange_column[]} in memory that the caller
 * gives.
 */
final class ExchangeLayout {
  private final int[] types;
  private final int chunkRows;
  private long address;

  ExchangeLayout(List<DataType> types, int chunkRows) {
    this.types = types.stream().mapToInt(type -> new NativeVector(type).nativeType()).toArray();
    this.chunkRows = chunkRows;
  }

  /** Bytes of the description. */
  long bytes() {
    return (long) types.length * ExchangeAbi.COLUMN_SIZE;
  }

  /** Bytes of a chunk. */
  long chunkBytes() {
    Arena chunk = chunk();
    for (int type : types) {
      chunk.take((long) Abi.width(type) * chunkRows);
      chunk.take(chunkRows);
    }
    return chunk.used();
  }

  /** Writes the description to {@code target} and answers that. */
  long writeTo(long target) {
    address = target;
    Arena chunk = chunk();
    for (int i = 0; i < types.length; i++) {
      long column = column(i);
      Platform.putInt(null, column + ExchangeAbi.COLUMN_TYPE, types[i]);
      Platform.putInt(
          null,
          column + ExchangeAbi.COLUMN_VALUES,
          (int) chunk.take((long) Abi.width(types[i]) * chunkRows));
      Platform.putInt(null, column + ExchangeAbi.COLUMN_NULLS, (int) chunk.take(chunkRows));
    }
    clearNulls();
    return target;
  }

  /** No null is stored any more. */
  void clearNulls() {
    for (int i = 0; i < types.length; i++) {
      Platform.putInt(null, column(i) + ExchangeAbi.COLUMN_HAS_NULLS, 0);
    }
  }

  private long column(int ordinal) {
    return address + (long) ordinal * ExchangeAbi.COLUMN_SIZE;
  }

  /** A chunk from its start, behind its rows' partitions. */
  private Arena chunk() {
    Arena chunk = new Arena(0);
    chunk.take(4L * chunkRows);
    return chunk;
  }
}
