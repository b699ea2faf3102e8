package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import org.apache.spark.unsafe.Platform;

/**
 * A {@code spw_row_batch}: rows of Spark in one native buffer beside the descriptors of the columns
 * they are read into or written from. Its memory is the operator's, freed with it.
 */
final class RowBatch {
  private static final long SMALLEST_BUFFER_BYTES = 8 * 1024;
  private static final long LARGEST_BUFFER_BYTES = 1024 * 1024;

  private final OperatorMemory memory;
  private final long block;
  private final long columns;
  private final long offsets;
  private NativeBlock data;

  RowBatch(OperatorContext context, int fields, int maxRows) {
    memory = context.memory();
    long descriptors = (long) Math.max(1, fields) * Abi.COLUMN_SIZE;
    block = memory.allocate(Abi.ROW_BATCH_SIZE + descriptors + 4L * (maxRows + 1)).address();
    columns = block + Abi.ROW_BATCH_SIZE;
    offsets = columns + descriptors;
    data =
        memory.allocate(
            Math.max(
                SMALLEST_BUFFER_BYTES,
                Math.min(LARGEST_BUFFER_BYTES, context.budget().shareBytes() / 32)));
    Platform.putLong(null, block + Abi.ROW_BATCH_COLUMNS, columns);
    Platform.putLong(null, block + Abi.ROW_BATCH_OFFSETS, offsets);
    Platform.putInt(null, block + Abi.ROW_BATCH_NCOLUMNS, fields);
  }

  /** Address of a column's {@code spw_column}. */
  long column(int ordinal) {
    return columns + (long) ordinal * Abi.COLUMN_SIZE;
  }

  /**
   * Says how many rows the next kernel call reads or may write; answers the structure's address.
   */
  long forRows(int rows) {
    Platform.putLong(null, block + Abi.ROW_BATCH_DATA, data.address());
    Platform.putLong(null, block + Abi.ROW_BATCH_CAPACITY, data.size());
    Platform.putInt(null, block + Abi.ROW_BATCH_ROWS, rows);
    return block;
  }

  /** Bytes that one row needs, after a kernel said that the buffer is too small for it. */
  long neededBytes() {
    return Platform.getLong(null, block + Abi.ROW_BATCH_NEED);
  }

  /** Makes room for so many bytes; what is in the buffer is lost. */
  void grow(long bytes) {
    data.close();
    data = memory.allocate(bytes);
  }

  /** Bytes of the buffer. */
  long capacity() {
    return data.size();
  }

  /** Address of a row's bytes. */
  long row(int number) {
    return data.address() + offset(number);
  }

  /** Where a row starts in the buffer; the one behind the last row is the end. */
  int offset(int number) {
    return Platform.getInt(null, offsets + 4L * number);
  }

  void putOffset(int number, long offset) {
    Platform.putInt(null, offsets + 4L * number, (int) offset);
  }
}
