package io.spillway.operator;

import io.spillway.kernel.JoinAbi;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Takes probe rows past a table, slice by slice, and puts out what comes of them: pairs as they are
 * found, and at the end of each slice the rows that come out by their state. Used by the task's
 * thread alone.
 */
final class ProbeStream {
  private static final int UNMATCHED = 1 << JoinAbi.STATE_UNMATCHED;
  private static final int MATCHED = 1 << JoinAbi.STATE_MATCHED;

  /** What becomes of probe rows that this table is not the last one for. */
  interface Later {
    /**
     * Keeps what a slice leaves for later; called when all of its rows were looked up. May
     * allocate.
     */
    void keep(JoinProbe slice);

    /** Whether a row that has no match here has none at all, unless it was deferred. */
    boolean isFinal();
  }

  private final JoinFrame frame;
  private final ProbeRows source;
  private final Later later;
  private boolean inSlice;

  /** The table is the one that the frame's probe is over. */
  ProbeStream(JoinFrame frame, ProbeRows source, Later later) {
    this.frame = frame;
    this.source = source;
    this.later = later;
  }

  /** The next batch; null when all probe rows have passed. */
  ColumnarBatch next() {
    JoinProbe probe = frame.probe();
    // Many pairs may come of one slice.
    frame.memory().batchBoundary();
    while (true) {
      if (probe.pairs() > 0) {
        return frame.output().pairs(probe);
      }
      if (inSlice && !probe.isDone()) {
        probe.step();
      } else if (inSlice) {
        inSlice = false;
        later.keep(probe);
        ColumnarBatch batch = byState(probe);
        if (batch != null) {
          return batch;
        }
      } else if (source.next()) {
        probe.begin(source);
        inSlice = true;
      } else {
        return null;
      }
    }
  }

  /** The slice's rows that come out because of what they have or have not matched. */
  private ColumnarBatch byState(JoinProbe probe) {
    int mask =
        switch (frame.spec().kind()) {
          case INNER, BUILD_OUTER -> 0;
          case PROBE_OUTER, FULL_OUTER, ANTI, NULL_AWARE_ANTI -> later.isFinal() ? UNMATCHED : 0;
          case SEMI -> MATCHED;
          case EXISTENCE -> later.isFinal() ? UNMATCHED | MATCHED : MATCHED;
        };
    int count = mask == 0 ? 0 : probe.select(mask);
    if (count == 0) {
      return null;
    }
    return frame.spec().kind() == JoinSpec.Kind.EXISTENCE
        ? frame.output().existence(probe, count)
        : frame.output().probes(probe, count);
  }
}
