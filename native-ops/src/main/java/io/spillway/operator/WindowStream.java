package io.spillway.operator;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * A window whose values are known as soon as their row is: rows pass through without a copy. Used
 * by one thread at a time.
 */
final class WindowStream extends BatchIterator {
  private final OperatorContext context;
  private final WindowSpec spec;
  private final SliceReader slice;
  private final Evaluator evaluator;
  private final WindowState state;
  private final BatchView view;

  /**
   * @param outputTypes the child's, then the functions'
   */
  WindowStream(
      Iterator<ColumnarBatch> child,
      WindowSpec spec,
      List<DataType> inputTypes,
      List<DataType> outputTypes,
      OperatorMetrics metrics) {
    super(metrics);
    this.spec = spec;
    context = OperatorContext.open("Window", null, metrics);
    int maxRows = context.batchRows(outputTypes);
    boolean[] needed = Evaluator.needed(spec.program(), inputTypes.size());
    slice = new SliceReader(child, context, inputTypes, needed, maxRows);
    evaluator = new Evaluator(context, spec.program(), maxRows);
    state = new WindowState(context.memory(), spec, maxRows);
    view = new BatchView(outputTypes);
  }

  @Override
  ColumnarBatch compute() {
    if (!slice.advance()) {
      context.end();
      return null;
    }
    evaluator.evaluate(slice);
    int rows = slice.rows();
    state.start(evaluator.outputs(), rows);
    state.run(0, rows, 0);
    for (int i = 0; i < spec.columns(); i++) {
      evaluator.view(i, rows, view.vector(i));
    }
    for (int i = 0; i < spec.functions().size(); i++) {
      state.view(i, rows, view.vector(spec.columns() + i));
    }
    return view.batch(rows);
  }
}
