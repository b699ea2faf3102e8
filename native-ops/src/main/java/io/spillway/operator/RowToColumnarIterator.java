package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.Kernels;
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
  private final Iterator<InternalRow> child;
  private final OperatorContext context;
  private final DataType[] types;
  private final BatchView view;
  private final int maxRows;
  private final ColumnBuffer[] buffers;
  private final RowBatch batch;
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
    batch = new RowBatch(context, types.size(), maxRows);
    buffers = new ColumnBuffer[types.size()];
    for (int i = 0; i < buffers.length; i++) {
      int nativeType = view.vector(i).nativeType();
      buffers[i] = ColumnBuffer.allocate(context.memory(), nativeType, maxRows);
      NativeVector.describe(
          batch.column(i), nativeType, Abi.KIND_VECTOR, buffers[i].values(), buffers[i].nulls());
    }
  }

  @Override
  ColumnarBatch compute() {
    int rows = gather();
    if (rows == 0) {
      context.end();
      return null;
    }
    Kernels.rowsToColumns(batch.forRows(rows));
    for (int i = 0; i < buffers.length; i++) {
      boolean hasNulls = Platform.getInt(null, batch.column(i) + Abi.COLUMN_HAS_NULLS) != 0;
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
      if (used + bytes > batch.capacity()) {
        if (rows > 0) {
          pending = row;
          break;
        }
        batch.grow(bytes);
      }
      batch.putOffset(rows, used);
      Platform.copyMemory(row.getBaseObject(), row.getBaseOffset(), null, batch.row(rows), bytes);
      used += bytes;
      rows++;
    }
    batch.putOffset(rows, used);
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
