package io.spillway.operator;

import io.spillway.memory.SharedLease;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Joins one partition of the probe side with a broadcast: in the executor's table if it has room
 * for one, else as any hash join, whose table may go to the disk partition by partition. Used by
 * one thread at a time.
 */
final class BroadcastJoinIterator extends BatchIterator {
  private final Iterator<ColumnarBatch> probe;
  private final BroadcastTable table;
  private final JoinSpec spec;
  private final List<DataType> probeTypes;
  private final List<DataType> outputTypes;
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
    this.spec = spec;
    this.probeTypes = probeTypes;
    this.outputTypes = outputTypes;
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
    OperatorContext context = OperatorContext.open("BroadcastHashJoin", null, metrics);
    List<DataType> leftTypes = spec.buildLeft() ? table.types() : probeTypes;
    List<DataType> rightTypes = spec.buildLeft() ? probeTypes : table.types();
    List<DataType> allTypes = new ArrayList<>(leftTypes);
    allTypes.addAll(rightTypes);
    JoinFrame frame =
        new JoinFrame(
            context, spec, leftTypes, rightTypes, outputTypes, context.batchRows(allTypes));
    SharedLease<SharedTable> lease = table.lease(frame).orElse(null);
    if (lease != null) {
      return new SharedJoinIterator(
          context, frame, lease, new ProbeInput(probe, context, probeTypes, frame.maxRows()));
    }
    context.end();
    Iterator<ColumnarBatch> builds = table.batches();
    return new JoinIterator(
        spec.buildLeft() ? builds : probe,
        spec.buildLeft() ? probe : builds,
        spec,
        leftTypes,
        rightTypes,
        outputTypes,
        metrics);
  }

  /** Looks probe rows up in a shared table, which it gives back at the end. */
  private static final class SharedJoinIterator extends BatchIterator implements ProbeStream.Later {
    private final OperatorContext context;
    private final SharedLease<SharedTable> lease;
    private final ProbeStream stream;
    private final boolean nothingComesOut;

    SharedJoinIterator(
        OperatorContext context,
        JoinFrame frame,
        SharedLease<SharedTable> lease,
        ProbeRows probes) {
      super(null);
      this.context = context;
      this.lease = lease;
      this.stream = new ProbeStream(frame, probes, this);
      SharedTable shared = lease.value();
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
