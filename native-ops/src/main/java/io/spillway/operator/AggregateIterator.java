package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Aggregates one partition. When its table is refused room, an aggregation whose output is merged
 * later anyway hands out what it has and starts over; one whose groups must not repeat spills. Used
 * by one thread at a time.
 */
final class AggregateIterator extends BatchIterator {
  /** The most that a table of a partial aggregation holds: what a processor's cache still helps. */
  private static final long PARTIAL_TABLE_BYTES = 32L << 20;

  private final AggregateSpec spec;
  private final OperatorContext context;
  private final SliceReader slice;
  private final Evaluator evaluator;
  private final AggregateState state;
  private final AggregateOutput output;
  private final boolean emitsEarly;
  private final PartialTableLimit limit;
  private boolean inputEnded;
  private boolean handingOut;
  private int sliceRow;
  private int sliceRows;
  private long tableRows;

  AggregateIterator(
      Iterator<ColumnarBatch> child,
      AggregateSpec spec,
      List<DataType> inputTypes,
      List<DataType> outputTypes,
      OperatorMetrics metrics) {
    super(metrics);
    this.spec = spec;
    this.emitsEarly = spec.hasKeys() && !spec.mergesGroups();
    String name = spec.mergesGroups() ? "HashAggregate(final)" : "HashAggregate(partial)";
    Spilling spilling = new Spilling();
    context = OperatorContext.open(name, spilling::spill, metrics);
    limit = new PartialTableLimit(Math.min(PARTIAL_TABLE_BYTES, context.budget().shareBytes() / 2));
    int maxRows = context.batchRows(inputTypes);
    slice =
        new SliceReader(
            child, context, inputTypes, Evaluator.needed(spec.input(), inputTypes.size()), maxRows);
    evaluator = new Evaluator(context, spec.input(), maxRows);
    OperatorMemory memory = context.memory();
    state =
        new AggregateState(
            context, spec, emitsEarly ? this::refusable : memory::allocate, spec.mergesGroups());
    output = new AggregateOutput(context, state, outputTypes, spec.finalResult());
    spilling.state = state;
  }

  /** The operator's memory is opened before its state: until then there is nothing to spill. */
  private static final class Spilling {
    private AggregateState state;

    long spill(long bytes) {
      return state == null ? 0 : state.spill(bytes);
    }
  }

  /** Room for a table that would rather hand out its groups than write them to disk. */
  private NativeBlock refusable(long bytes) {
    OperatorMemory memory = context.memory();
    NativeBlock block = memory.withoutSpilling(() -> memory.tryAllocate(bytes));
    // With nothing to hand out there is only the ladder.
    return block != null || state.table().bytes() > 0 ? block : memory.allocate(bytes);
  }

  @Override
  ColumnarBatch compute() {
    while (true) {
      if (handingOut) {
        ColumnarBatch batch = output.next();
        if (batch != null) {
          context.memory().batchBoundary();
          return batch;
        }
        handingOut = false;
        if (inputEnded) {
          context.end();
          return null;
        }
      }
      read();
    }
  }

  /** Adds a slice, or what is left of one; starts to hand out if it must. */
  private void read() {
    if (sliceRow == sliceRows) {
      if (!slice.advance()) {
        inputEnded = true;
        if (!spec.hasKeys()) {
          state.table().initGroup();
        }
        startOutput();
        return;
      }
      sliceRow = 0;
      evaluator.evaluate(slice);
      sliceRows = slice.rows();
      long columns = evaluator.outputs();
      int keys = spec.keyTypes().length;
      int inputs = spec.input().outputTypes().length - keys;
      state
          .table()
          .setInput(
              columns, columns + (long) keys * Abi.COLUMN_SIZE, inputs, spec.merge(), sliceRows);
    }
    int done = state.table().add(sliceRow);
    tableRows += done - sliceRow;
    sliceRow = done;
    if (sliceRow < sliceRows || (emitsEarly && state.table().bytes() > limit.bytes())) {
      limit.full(tableRows, state.table().groups());
      startOutput();
    }
  }

  private void startOutput() {
    handingOut = true;
    tableRows = 0;
    state.startOutput();
  }
}
