package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.Kernels;
import io.spillway.memory.NativeBlock;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;

/**
 * Gathers rows in a native buffer and turns them into columns, a buffer at a time. Strings of the
 * columns point into the buffer.
 */
final class RowToColumnarIterator extends BatchIterator {
  private static final long SMALLEST_BUFFER_BYTES = 8 * 1024;
  private static final long LARGEST_BUFFER_BYTES = 1024 * 1024;

  private final Iterator<InternalRow> child;
  private final OperatorContext context;
  private final DataType[] types;
  private final BatchView view;
  private final int maxRows;
  private final ColumnBuffer[] buffers;
  private final NativeBlock arena;
  private final long block;
  private final long columns;
  private final long offsets;
  private NativeBlock data;
  private UnsafeProjection projection;
  private UnsafeRow pending;

  RowToColumnarIterator(
      Iterator<InternalRow> child, List<DataType> types, OperatorMetrics metrics) {
    super(metrics);
    this.child = child;
    this.types = types.toArray(DataType[]::new);
    context = OperatorContext.open("RowToColumnar", null, metrics);
    maxRows = context.batchRows(types);
    view = new BatchView(types);
    long descriptors = (long) Math.max(1, types.size()) * Abi.COLUMN_SIZE;
    arena = context.memory().allocate(Abi.ROW_BATCH_SIZE + descriptors + 4L * (maxRows + 1));
    block = arena.address();
    columns = block + Abi.ROW_BATCH_SIZE;
    offsets = columns + descriptors;
    buffers = new ColumnBuffer[types.size()];
    for (int i = 0; i < buffers.length; i++) {
      int nativeType = view.vector(i).nativeType();
      buffers[i] = ColumnBuffer.allocate(context.memory(), nativeType, maxRows);
      NativeVector.describe(
          columns + (long) i * Abi.COLUMN_SIZE,
          nativeType,
          Abi.KIND_VECTOR,
          buffers[i].values(),
          buffers[i].nulls());
    }
    data =
        context
            .memory()
            .allocate(
                Math.max(
                    SMALLEST_BUFFER_BYTES,
                    Math.min(LARGEST_BUFFER_BYTES, context.budget().shareBytes() / 32)));
    Platform.putLong(null, block + Abi.ROW_BATCH_COLUMNS, columns);
    Platform.putLong(null, block + Abi.ROW_BATCH_OFFSETS, offsets);
    Platform.putInt(null, block + Abi.ROW_BATCH_NCOLUMNS, buffers.length);
  }

  @Override
  ColumnarBatch compute() {
    int rows = gather();
    if (rows == 0) {
      return null;
    }
    Platform.putLong(null, block + Abi.ROW_BATCH_DATA, data.address());
    Platform.putLong(null, block + Abi.ROW_BATCH_CAPACITY, data.size());
    Platform.putInt(null, block + Abi.ROW_BATCH_ROWS, rows);
    Kernels.rowsToColumns(block);
    for (int i = 0; i < buffers.length; i++) {
      boolean hasNulls =
          Platform.getInt(null, columns + (long) i * Abi.COLUMN_SIZE + Abi.COLUMN_HAS_NULLS) != 0;
      view.vector(i).pointTo(buffers[i].values(), hasNulls ? buffers[i].nulls() : 0, rows);
    }
    return view.batch(rows);
  }

  private int gather() {
    int rows = 0;
    long used = 0;
    while (rows < maxRows && (pending != null || child.hasNext())) {
      if (rows == 0) {
        context.memory().batchBoundary();
      }
      // A row stays valid until the child is asked again, so one that does not fit can wait.
      UnsafeRow row = pending != null ? pending : unsafe(child.next());
      pending = null;
      int bytes = row.getSizeInBytes();
      if (used + bytes > data.size()) {
        if (rows > 0) {
          pending = row;
          break;
        }
        data.close();
        data = context.memory().allocate(bytes);
      }
      Platform.copyMemory(
          row.getBaseObject(), row.getBaseOffset(), null, data.address() + used, bytes);
      Platform.putInt(null, offsets + 4L * rows, (int) used);
      used += bytes;
      rows++;
    }
    Platform.putInt(null, offsets + 4L * rows, (int) used);
    return rows;
  }

  private UnsafeRow unsafe(InternalRow row) {
    if (row instanceof UnsafeRow unsafeRow) {
      return unsafeRow;
    }
    if (projection == null) {
      projection = UnsafeProjection.create(types);
    }
    return projection.apply(row);
  }
}
