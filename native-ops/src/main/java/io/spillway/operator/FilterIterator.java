package io.spillway.operator;

import io.spillway.expression.Program;
import io.spillway.kernel.Abi;
import io.spillway.kernel.Kernels;
import io.spillway.memory.NativeBlock;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;

/** Keeps the rows for which a condition is true. A slice that passes whole is not copied. */
final class FilterIterator extends BatchIterator {
  private final OperatorContext context;
  private final SliceReader slice;
  private final Evaluator evaluator;
  private final long selection;
  private final long from;
  private final long to;
  private final ColumnBuffer[] buffers;
  private final BatchView view;
  private final int maxRows;

  FilterIterator(
      Iterator<ColumnarBatch> child,
      Program condition,
      List<DataType> types,
      OperatorMetrics metrics) {
    super(metrics);
    context = OperatorContext.open("Filter", null, metrics);
    maxRows = context.batchRows(types);
    boolean[] needed = new boolean[types.size()];
    Arrays.fill(needed, true);
    slice = new SliceReader(child, context, types, needed, maxRows);
    evaluator = new Evaluator(context, condition, maxRows);
    buffers = new ColumnBuffer[types.size()];
    view = new BatchView(types);
    long descriptors = (long) Math.max(1, types.size()) * Abi.COLUMN_SIZE;
    NativeBlock arena = context.memory().allocate(2 * descriptors + 4L * maxRows);
    from = arena.address();
    to = from + descriptors;
    selection = to + descriptors;
  }

  @Override
  ColumnarBatch compute() {
    while (slice.advance()) {
      evaluator.evaluate(slice);
      long result = evaluator.output(0);
      int selected =
          (int)
              Kernels.select(
                  Platform.getLong(null, result + Abi.COLUMN_VALUES),
                  Platform.getLong(null, result + Abi.COLUMN_NULLS),
                  slice.rows(),
                  selection);
      if (selected == slice.rows()) {
        return passed();
      }
      if (selected > 0) {
        return taken(selected);
      }
    }
    context.end();
    return null;
  }

  private ColumnarBatch passed() {
    for (int i = 0; i < buffers.length; i++) {
      NativeVector column = slice.column(i);
      view.vector(i).pointTo(column.values(), column.nulls(), slice.rows());
    }
    return view.batch(slice.rows());
  }

  private ColumnarBatch taken(int selected) {
    for (int i = 0; i < buffers.length; i++) {
      NativeVector column = slice.column(i);
      if (buffers[i] == null) {
        buffers[i] = ColumnBuffer.allocate(context.memory(), column.nativeType(), maxRows);
      }
      column.describeTo(from + (long) i * Abi.COLUMN_SIZE);
      NativeVector.describe(
          to + (long) i * Abi.COLUMN_SIZE,
          column.nativeType(),
          Abi.KIND_VECTOR,
          buffers[i].values(),
          buffers[i].nulls());
    }
    Kernels.take(from, to, buffers.length, selection, selected);
    for (int i = 0; i < buffers.length; i++) {
      boolean hasNulls =
          Platform.getInt(null, to + (long) i * Abi.COLUMN_SIZE + Abi.COLUMN_HAS_NULLS) != 0;
      view.vector(i).pointTo(buffers[i].values(), hasNulls ? buffers[i].nulls() : 0, selected);
    }
    return view.batch(selected);
  }
}
