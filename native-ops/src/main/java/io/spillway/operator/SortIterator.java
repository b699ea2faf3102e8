package io.spillway.operator;

import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Sorts one partition. Used by one thread at a time. */
final class SortIterator extends BatchIterator {
  private final OperatorContext context;
  private final List<DataType> outputTypes;
  private final SliceReader slice;
  private final Evaluator evaluator;
  private final SortState state;
  private final FirstRows first;
  private final LongConsumer storedRows;
  private final int limit;
  private SortOutput output;

  /**
   * @param name of the operator
   * @param storedRows told how many rows are stored, some at a time
   */
  SortIterator(
      String name,
      Iterator<ColumnarBatch> child,
      SortSpec spec,
      List<DataType> inputTypes,
      List<DataType> outputTypes,
      OperatorMetrics metrics,
      LongConsumer storedRows) {
    super(metrics);
    this.storedRows = storedRows;
    this.outputTypes = outputTypes;
    this.limit = spec.limit();
    Spilling spilling = new Spilling();
    context = OperatorContext.open(name, spilling::spill, metrics);
    int maxRows = context.batchRows(inputTypes);
    boolean[] needed = Evaluator.needed(spec.program(), inputTypes.size());
    slice = new SliceReader(child, context, inputTypes, needed, maxRows);
    evaluator = new Evaluator(context, spec.program(), maxRows);
    state = new SortState(context, spec.program().outputTypes(), spec.keys(), spec.limit());
    first = FirstRows.of(context, spec, maxRows);
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
        add();
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

  private void add() {
    int rows = slice.rows();
    long selection = 0;
    if (first != null) {
      rows = first.select(evaluator.output(first.column()), rows);
      selection = first.selection();
    }
    state.add(evaluator.outputs(), selection, rows);
    storedRows.accept(rows);
  }
}
