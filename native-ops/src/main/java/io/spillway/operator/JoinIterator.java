package io.spillway.operator;

import io.spillway.memory.SharedLease;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Joins one partition of both children, or of the probe side with partitions that tasks share: the
 * whole first, then what found no room, partition by partition, with further bits of the hash for
 * each. Used by one thread at a time.
 */
final class JoinIterator extends BatchIterator {
  private final OperatorContext context;
  private final JoinFrame frame;
  private final Deque<JoinLevel> levels = new ArrayDeque<>();
  private final Runnable end;

  /** Makes the pass over the whole; null once it has. */
  private Supplier<JoinPass> whole;

  private JoinPass pass;

  JoinIterator(
      Iterator<ColumnarBatch> left,
      Iterator<ColumnarBatch> right,
      JoinSpec spec,
      List<DataType> leftTypes,
      List<DataType> rightTypes,
      List<DataType> outputTypes,
      OperatorMetrics metrics) {
    super(metrics);
    JoinShape shape = new JoinShape(spec, leftTypes, rightTypes, outputTypes);
    context = OperatorContext.open("HashJoin", this::spill, metrics);
    int maxRows = shape.maxRows(context);
    BuildRows builds =
        new BuildInput(spec.buildLeft() ? left : right, context, spec, shape.buildTypes(), maxRows);
    ProbeRows probes =
        new ProbeInput(spec.buildLeft() ? right : left, context, shape.probeTypes(), maxRows);
    frame = shape.frame(context);
    whole = () -> HashPass.over(frame, builds, probes, 0);
    end = () -> {};
  }

  /**
   * @param lease of the partitions, which is closed at the end
   */
  JoinIterator(
      Iterator<ColumnarBatch> probe,
      SharedLease<?> lease,
      SharedPartitions partitions,
      JoinShape shape,
      OperatorMetrics metrics) {
    super(metrics);
    context = OperatorContext.open("BroadcastHashJoin", this::spill, metrics);
    ProbeRows probes = new ProbeInput(probe, context, shape.probeTypes(), shape.maxRows(context));
    frame = shape.frame(context);
    SharedReading builds = new SharedReading(context, partitions, lease);
    whole = () -> HashPass.over(frame, builds, probes);
    end = lease::close;
  }

  private long spill(long bytes) {
    return pass == null ? 0 : pass.spill(bytes);
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
    end.run();
    return null;
  }

  /** Starts the next pass; false if there is nothing left. */
  private boolean open() {
    if (whole != null) {
      pass = whole.get();
      whole = null;
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
    return HashPass.over(
        frame,
        frame.builds(level.table().reader(work.builds())),
        frame.probes(level.probes().reader(frame, work.probes())),
        level.table().usedBits());
  }
}
