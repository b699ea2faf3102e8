package io.spillway.operator;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Sorts one partition. Used by one thread at a time. */
final class SortIterator extends BatchIterator {
  private final OperatorContext context;
  private final List<DataType> outputTypes;
  private final SliceReader slice;
  private final Evaluator evaluator;
  private final SortState state;
  private final int limit;
  private SortOutput output;

  /**
   * @param name of the operator
   */
  SortIterator(
      String name,
      Iterator<ColumnarBatch> child,
      SortSpec spec,
      List<DataType> inputTypes,
      List<DataType> outputTypes,
      OperatorMetrics metrics) {
    super(metrics);
    this.outputTypes = outputTypes;
    this.limit = spec.limit();
    Spilling spilling = new Spilling();
    context = OperatorContext.open(name, spilling::spill, metrics);
    int maxRows = context.batchRows(inputTypes);
    boolean[] needed = Evaluator.needed(spec.program(), inputTypes.size());
    slice = new SliceReader(child, context, inputTypes, needed, maxRows);
    evaluator = new Evaluator(context, spec.program(), maxRows);
    state = new SortState(context, spec);
    spilling.state = state;
  }

  /** The operator's memory is opened before its state: until then there is nothing to spill. */
  private static final class Spilling {
    private SortState state;

    long spill(long bytes) {
      return state == null ? 0 : state.spill(bytes);
    }
  }

  @Override
  ColumnarBatch compute() {
    if (output == null) {
      while (slice.advance()) {
        evaluator.evaluate(slice);
        state.add(evaluator.outputs(), slice.rows());
      }
      state.startOutput();
      output = new SortOutput(context, state, outputTypes, limit);
    }
    context.memory().batchBoundary();
    ColumnarBatch batch = output.next();
    if (batch == null) {
      context.end();
    }
    return batch;
  }
}
