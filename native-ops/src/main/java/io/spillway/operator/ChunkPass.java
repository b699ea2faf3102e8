package io.spillway.operator;

import io.spillway.kernel.JoinAbi;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.spill.SpillSegment;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Joins a partition that hashing does not make smaller, such as one large key: as many build pages
 * as fit, then all probe rows past them, then the next build pages. Where it matters whether a
 * probe row has matched before, the probe rows are written anew for each next part. Ends at any
 * size. Used by the task's thread alone.
 */
final class ChunkPass implements JoinPass, ProbeStream.Later {
  private enum Phase {
    LOAD,
    PROBE,
    UNMATCHED,
    DONE
  }

  private final JoinFrame frame;
  private final PageReader builds;
  private final JoinTable table;
  private final long chunkBytes;
  private ProbeSpill probes;
  private List<SpillSegment> segments;

  /** Whether {@link #probes} is this pass's own, and not the level's. */
  private boolean ownsProbes;

  private ProbeSpill next;
  private NativeBlock ahead;
  private ProbeStream stream;
  private UnmatchedBuilds unmatched;
  private Phase phase = Phase.LOAD;

  ChunkPass(JoinFrame frame, JoinLevel level, JoinLevel.Work work) {
    this.frame = frame;
    this.builds = level.table().reader(work.builds());
    this.probes = level.probes();
    this.segments = work.probes();
    // Beside it there must be room for its index, the probe rows and other operators.
    this.chunkBytes = frame.context().budget().shareBytes() / 4;
    this.table = new JoinTable(frame, 0, 0);
  }

  @Override
  public ColumnarBatch next() {
    while (phase != Phase.DONE) {
      ColumnarBatch batch =
          switch (phase) {
            case LOAD -> load();
            case PROBE -> probe();
            case UNMATCHED -> unmatched();
            case DONE -> null;
          };
      if (batch != null) {
        return batch;
      }
    }
    return null;
  }

  private ColumnarBatch load() {
    frame.memory().batchBoundary();
    NativeBlock page = ahead == null ? builds.next() : ahead;
    long bytes = 0;
    while (page != null && (bytes == 0 || bytes + page.size() <= chunkBytes)) {
      bytes += page.size();
      table.addPage(page);
      page = builds.next();
    }
    // One page ahead, to know whether this is the last part.
    ahead = page;
    frame.probe().over(table);
    if (segments.isEmpty()) {
      // Where build rows do not come out by themselves, no probe row is left to be looked up.
      ahead = frame.spec().kind().keepsBuild() ? ahead : drop(ahead);
      startUnmatched();
    } else {
      table.indexAll();
      stream = new ProbeStream(frame, frame.probes(probes.reader(frame, segments)), this);
      phase = Phase.PROBE;
    }
    return null;
  }

  private static NativeBlock drop(NativeBlock page) {
    if (page != null) {
      page.close();
    }
    return null;
  }

  private ColumnarBatch probe() {
    ColumnarBatch batch = stream.next();
    if (batch == null) {
      frame.closeStored();
      if (!isFinal() && mustRemember()) {
        rewind();
      }
      startUnmatched();
    }
    return batch;
  }

  private void startUnmatched() {
    if (frame.spec().kind().keepsBuild()) {
      unmatched = new UnmatchedBuilds(frame, table);
      phase = Phase.UNMATCHED;
    } else {
      endOfPart();
    }
  }

  private ColumnarBatch unmatched() {
    ColumnarBatch batch = unmatched.next();
    if (batch == null) {
      endOfPart();
    }
    return batch;
  }

  private void endOfPart() {
    table.clear(0);
    phase = isFinal() ? Phase.DONE : Phase.LOAD;
  }

  // ---- probe rows for the next part

  private boolean mustRemember() {
    return switch (frame.spec().kind()) {
      case INNER, BUILD_OUTER -> false;
      case PROBE_OUTER, FULL_OUTER, SEMI, ANTI, NULL_AWARE_ANTI, EXISTENCE -> true;
    };
  }

  @Override
  public void keep(JoinProbe slice) {
    if (isFinal() || !mustRemember()) {
      return;
    }
    if (next == null) {
      next = new ProbeSpill(frame, 0, 0);
    }
    // Matched rows of an outer join may have further matches; those of the others are done with.
    int mask = 1 << JoinAbi.STATE_UNMATCHED;
    if (frame.spec().kind().keepsProbe()) {
      mask |= 1 << JoinAbi.STATE_MATCHED;
    }
    int count = slice.select(mask);
    if (count > 0) {
      next.add(slice.rows(), slice.states(), slice.hashes(), slice.selection(), count);
    }
  }

  private void rewind() {
    next.flush();
    closeOwnProbes();
    probes = next;
    ownsProbes = true;
    segments = probes.segments(0);
    next = null;
  }

  @Override
  public boolean isFinal() {
    return ahead == null;
  }

  // ---- memory

  @Override
  public long spill(long bytes) {
    // The part of the build side that is at work stays; it is small.
    return next == null ? 0 : next.spill(bytes);
  }

  @Override
  public JoinLevel finish() {
    frame.closeStored();
    closeOwnProbes();
    ahead = drop(ahead);
    builds.close();
    table.close();
    return null;
  }

  private void closeOwnProbes() {
    if (ownsProbes) {
      probes.close();
    }
  }
}
