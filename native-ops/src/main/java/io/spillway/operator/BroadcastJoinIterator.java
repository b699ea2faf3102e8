package io.spillway.operator;

import io.spillway.memory.SharedLease;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Joins one partition of the probe side with a broadcast: in the executor's table if it has room
 * for one, else partition by partition with what the executor has written of it. Used by one thread
 * at a time.
 */
final class BroadcastJoinIterator extends BatchIterator {
  private final Iterator<ColumnarBatch> probe;
  private final BroadcastTable table;
  private final JoinShape shape;
  private final OperatorMetrics metrics;
  private BatchIterator join;

  BroadcastJoinIterator(
      Iterator<ColumnarBatch> probe,
      BroadcastTable table,
      JoinSpec spec,
      List<DataType> probeTypes,
      List<DataType> outputTypes,
      OperatorMetrics metrics) {
    super(metrics);
    this.probe = probe;
    this.table = table;
    this.shape =
        new JoinShape(
            spec,
            spec.buildLeft() ? table.types() : probeTypes,
            spec.buildLeft() ? probeTypes : table.types(),
            outputTypes);
    this.metrics = metrics;
  }

  @Override
  ColumnarBatch compute() {
    if (join == null) {
      join = open();
    }
    // Not asked as an iterator: its batches would be counted twice.
    return join.compute();
  }

  private BatchIterator open() {
    // Before there is any memory of this operator: a task that waits for another's build holds
    // none.
    SharedLease<SharedBuild> lease = table.lease(shape, metrics);
    if (lease.value() instanceof SharedPartitions partitions) {
      return new JoinIterator(probe, lease, partitions, shape, metrics);
    }
    OperatorContext context = OperatorContext.open("BroadcastHashJoin", null, metrics);
    JoinFrame frame = shape.frame(context);
    ProbeRows probes = new ProbeInput(probe, context, shape.probeTypes(), frame.maxRows());
    return new SharedJoinIterator(context, frame, lease, (SharedTable) lease.value(), probes);
  }

  /** Looks probe rows up in a shared table, which it gives back at the end. */
  private static final class SharedJoinIterator extends BatchIterator implements ProbeStream.Later {
    private final OperatorContext context;
    private final SharedLease<?> lease;
    private final ProbeStream stream;
    private final boolean nothingComesOut;

    SharedJoinIterator(
        OperatorContext context,
        JoinFrame frame,
        SharedLease<?> lease,
        SharedTable shared,
        ProbeRows probes) {
      super(null);
      this.context = context;
      this.lease = lease;
      this.stream = new ProbeStream(frame, probes, this);
      nothingComesOut =
          switch (frame.spec().kind()) {
            case INNER, SEMI -> shared.rows() == 0;
            case NULL_AWARE_ANTI -> shared.hasNullKeys();
            case PROBE_OUTER, ANTI, EXISTENCE -> false;
            case BUILD_OUTER, FULL_OUTER ->
                throw new IllegalStateException(
                    "rows of a shared table cannot be marked as a "
                        + frame.spec().kind()
                        + " join must");
          };
      frame.probe().startOver(shared, shared.rows());
    }

    @Override
    ColumnarBatch compute() {
      ColumnarBatch batch = nothingComesOut ? null : stream.next();
      if (batch == null) {
        lease.close();
        context.end();
      }
      return batch;
    }

    @Override
    public void keep(JoinProbe slice) {
      // A shared table is whole: no row was deferred.
    }

    @Override
    public boolean isFinal() {
      return true;
    }
  }
}
