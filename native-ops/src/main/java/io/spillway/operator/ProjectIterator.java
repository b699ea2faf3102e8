package io.spillway.operator;

import io.spillway.expression.Program;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Evaluates a list of expressions; plain column references are passed on without a copy. */
final class ProjectIterator extends BatchIterator {
  private final OperatorContext context;
  private final SliceReader slice;
  private final Evaluator evaluator;
  private final BatchView view;
  private final int columns;

  ProjectIterator(
      Iterator<ColumnarBatch> child,
      Program program,
      List<DataType> inputTypes,
      List<DataType> outputTypes,
      OperatorMetrics metrics) {
    super(metrics);
    context = OperatorContext.open("Project", null, metrics);
    int maxRows = Math.min(context.batchRows(inputTypes), context.batchRows(outputTypes));
    slice =
        new SliceReader(
            child, context, inputTypes, Evaluator.needed(program, inputTypes.size()), maxRows);
    evaluator = new Evaluator(context, program, maxRows);
    view = new BatchView(outputTypes);
    columns = outputTypes.size();
  }

  @Override
  ColumnarBatch compute() {
    if (!slice.advance()) {
      context.end();
      return null;
    }
    evaluator.evaluate(slice);
    for (int i = 0; i < columns; i++) {
      evaluator.view(i, slice.rows(), view.vector(i));
    }
    return view.batch(slice.rows());
  }
}
