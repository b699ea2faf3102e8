package io.spillway.operator;

import io.spillway.expression.Program;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Evaluates several projections over each slice, one after another; plain column references are
 * passed on without a copy. Used by one thread at a time.
 */
final class ExpandIterator extends BatchIterator {
  private final OperatorContext context;
  private final SliceReader slice;
  private final Evaluator[] evaluators;
  private final BatchView view;
  private final Part part;
  private final int columns;
  private int next;

  ExpandIterator(
      Iterator<ColumnarBatch> child,
      List<Program> programs,
      List<DataType> inputTypes,
      List<DataType> outputTypes,
      OperatorMetrics metrics) {
    super(metrics);
    context = OperatorContext.open("Expand", null, metrics);
    int maxRows = Math.min(context.batchRows(inputTypes), context.batchRows(outputTypes));
    // Each projection has room of its own for what it computes.
    maxRows = Math.max(64, Integer.highestOneBit(maxRows / programs.size()));
    boolean[] needed = new boolean[inputTypes.size()];
    for (Program program : programs) {
      boolean[] some = Evaluator.needed(program, needed.length);
      for (int i = 0; i < needed.length; i++) {
        needed[i] |= some[i];
      }
    }
    slice = new SliceReader(child, context, inputTypes, needed, maxRows);
    part = new Part(slice);
    evaluators = new Evaluator[programs.size()];
    for (int i = 0; i < evaluators.length; i++) {
      evaluators[i] = new Evaluator(context, programs.get(i), maxRows);
    }
    view = new BatchView(outputTypes);
    columns = outputTypes.size();
    next = evaluators.length;
  }

  /**
   * The slice, which must not be halved any more once a projection of all its rows has come out.
   */
  private static final class Part implements NativeColumns {
    private final SliceReader slice;
    private boolean whole;

    Part(SliceReader slice) {
      this.slice = slice;
    }

    @Override
    public int rows() {
      return slice.rows();
    }

    @Override
    public NativeVector column(int ordinal) {
      return slice.column(ordinal);
    }

    @Override
    public boolean halve() {
      return !whole && slice.halve();
    }
  }

  @Override
  ColumnarBatch compute() {
    if (next == evaluators.length) {
      if (!slice.advance()) {
        context.end();
        return null;
      }
      next = 0;
      part.whole = false;
    }
    Evaluator evaluator = evaluators[next++];
    evaluator.evaluate(part);
    part.whole = true;
    for (int i = 0; i < columns; i++) {
      evaluator.view(i, slice.rows(), view.vector(i));
    }
    return view.batch(slice.rows());
  }
}
