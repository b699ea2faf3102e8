package io.spillway.operator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Joins one partition of both children: the whole first, then what found no room, partition by
 * partition, with further bits of the hash for each. Used by one thread at a time.
 */
final class JoinIterator extends BatchIterator {
  private final OperatorContext context;
  private final JoinFrame frame;
  private final Deque<JoinLevel> levels = new ArrayDeque<>();
  private final BuildRows builds;
  private final ProbeRows probes;
  private JoinPass pass;
  private boolean started;

  JoinIterator(
      Iterator<ColumnarBatch> left,
      Iterator<ColumnarBatch> right,
      JoinSpec spec,
      List<DataType> leftTypes,
      List<DataType> rightTypes,
      List<DataType> outputTypes,
      OperatorMetrics metrics) {
    super(metrics);
    Spilling spilling = new Spilling();
    context = OperatorContext.open("HashJoin", spilling::spill, metrics);
    List<DataType> allTypes = new ArrayList<>(leftTypes);
    allTypes.addAll(rightTypes);
    int maxRows = context.batchRows(allTypes);
    builds =
        new BuildInput(
            spec.buildLeft() ? left : right,
            context,
            spec,
            spec.buildLeft() ? leftTypes : rightTypes,
            maxRows);
    probes =
        new ProbeInput(
            spec.buildLeft() ? right : left,
            context,
            spec.buildLeft() ? rightTypes : leftTypes,
            maxRows);
    frame = new JoinFrame(context, spec, leftTypes, rightTypes, outputTypes, maxRows);
    spilling.join = this;
  }

  /** The operator's memory is opened before there is anything to spill. */
  private static final class Spilling {
    private JoinIterator join;

    long spill(long bytes) {
      return join == null || join.pass == null ? 0 : join.pass.spill(bytes);
    }
  }

  @Override
  ColumnarBatch compute() {
    while (pass != null || open()) {
      ColumnarBatch batch = pass.next();
      if (batch != null) {
        return batch;
      }
      JoinPass finished = pass;
      pass = null;
      JoinLevel left = finished.finish();
      if (left != null) {
        levels.push(left);
      }
    }
    context.end();
    return null;
  }

  /** Starts the next pass; false if there is nothing left. */
  private boolean open() {
    if (!started) {
      started = true;
      pass = new HashPass(frame, builds, probes, 0);
      return true;
    }
    while (!levels.isEmpty()) {
      JoinLevel level = levels.peek();
      JoinLevel.Work work = level.poll();
      if (work != null) {
        pass = pass(level, work);
        return true;
      }
      levels.pop().close();
    }
    return false;
  }

  private JoinPass pass(JoinLevel level, JoinLevel.Work work) {
    if (!work.divides() || work.probes().isEmpty()) {
      return new ChunkPass(frame, level, work);
    }
    return new HashPass(
        frame,
        frame.builds(level.table().reader(work.builds())),
        frame.probes(level.probes().reader(frame, work.probes())),
        level.table().usedBits());
  }
}
