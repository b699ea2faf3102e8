package io.spillway.operator;

import io.spillway.kernel.Abi;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Passes a range of rows on, without a copy, and asks for none behind it. */
final class LimitIterator extends BatchIterator {
  private final OperatorContext context;
  private final SliceReader slice;
  private final BatchView view;
  private final int columns;
  private final long first;
  private final long end;
  private long seen;

  /**
   * @param first the first row that comes out
   * @param end the row behind the last one
   */
  LimitIterator(
      Iterator<ColumnarBatch> child,
      long first,
      long end,
      List<DataType> types,
      OperatorMetrics metrics) {
    super(metrics);
    this.first = first;
    this.end = end;
    context = OperatorContext.open("Limit", null, metrics);
    columns = types.size();
    boolean[] needed = new boolean[columns];
    Arrays.fill(needed, true);
    slice = new SliceReader(child, context, types, needed, context.batchRows(types));
    view = new BatchView(types);
  }

  @Override
  ColumnarBatch compute() {
    while (seen < end && slice.advance()) {
      long before = seen;
      seen += slice.rows();
      int from = (int) (Math.max(before, first) - before);
      int to = (int) (Math.min(seen, end) - before);
      if (from < to) {
        return rows(from, to - from);
      }
    }
    context.end();
    return null;
  }

  private ColumnarBatch rows(int from, int rows) {
    for (int i = 0; i < columns; i++) {
      NativeVector column = slice.column(i);
      view.vector(i)
          .pointTo(
              column.values() + (long) from * Abi.width(column.nativeType()),
              column.nulls() == 0 ? 0 : column.nulls() + from,
              rows);
    }
    return view.batch(rows);
  }
}
