package io.spillway.operator;

import io.spillway.operator.WindowSpec.Scope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * A window that has to see the end of a row's peers or partition first: rows wait in a queue, what
 * their groups come to in others, and all of them spill. In turns rows go in, until a slice has the
 * start of another group or ends the input, and come out. Used by one thread at a time.
 */
final class WindowIterator extends BatchIterator {
  private final OperatorContext context;
  private final SliceReader slice;
  private final Evaluator evaluator;
  private final WindowState state;
  private final Scope scope;
  private final WaitingRows waiting;
  private int position;
  private int rows;
  private boolean ended;
  private boolean reading;

  /**
   * @param outputTypes the child's, then the functions'
   */
  WindowIterator(
      Iterator<ColumnarBatch> child,
      WindowSpec spec,
      List<DataType> inputTypes,
      List<DataType> outputTypes,
      OperatorMetrics metrics) {
    super(metrics);
    scope = spec.has(Scope.PARTITION) ? Scope.PARTITION : Scope.PEERS;
    Spilling spilling = new Spilling();
    context = OperatorContext.open("Window", spilling::spill, metrics);
    List<DataType> types = new ArrayList<>(outputTypes);
    // The functions' columns are there as they are made and as they are repeated.
    types.addAll(outputTypes.subList(spec.columns(), outputTypes.size()));
    // Moving frames have numbers of rows beside them: where each begins, ends, how much it has
    // seen.
    types.addAll(
        Collections.nCopies(
            2 * (spec.moving().frames().size() + spec.moving().functions().size())
                + spec.moving().places().size()
                + 8 * spec.moving().ranges(),
            DataTypes.LongType));
    int maxRows = context.batchRows(types);
    boolean[] needed = Evaluator.needed(spec.program(), inputTypes.size());
    slice = new SliceReader(child, context, inputTypes, needed, maxRows);
    evaluator = new Evaluator(context, spec.program(), maxRows);
    state = new WindowState(context.memory(), spec, maxRows);
    waiting = new WaitingRows(context, spec, state, outputTypes, maxRows);
    spilling.rows = waiting;
  }

  /** The operator's memory is opened before its rows: until then there is nothing to spill. */
  private static final class Spilling {
    private WaitingRows rows;

    long spill(long bytes) {
      return rows == null ? 0 : rows.spill(bytes);
    }
  }

  @Override
  ColumnarBatch compute() {
    while (true) {
      if (reading) {
        context.memory().batchBoundary();
        ColumnarBatch batch = waiting.next();
        if (batch != null) {
          return batch;
        }
        reading = false;
      }
      if (ended) {
        context.end();
        return null;
      }
      fill();
      waiting.startReading();
      reading = true;
    }
  }

  private void fill() {
    while (true) {
      if (position == rows && !nextSlice()) {
        // Rows wait as long as their groups are open.
        if (!waiting.isEmpty()) {
          end(true);
        }
        ended = true;
        return;
      }
      int cut = state.lastStart(scope, position, rows);
      if (cut > position || (cut == position && !waiting.isEmpty())) {
        add(cut);
        end(scope == Scope.PARTITION);
        return;
      }
      add(rows);
    }
  }

  private boolean nextSlice() {
    if (!slice.advance()) {
      return false;
    }
    evaluator.evaluate(slice);
    rows = slice.rows();
    position = 0;
    state.start(evaluator.outputs(), rows);
    return true;
  }

  private void add(int to) {
    if (to > position) {
      state.run(position, to, waiting.nextPlace());
      waiting.add(evaluator.outputs(), position, to);
      position = to;
    }
  }

  private void end(boolean partition) {
    state.end(partition);
    waiting.addGroups();
  }
}
