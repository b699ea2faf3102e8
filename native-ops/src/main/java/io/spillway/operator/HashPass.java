package io.spillway.operator;

import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Fills a partitioned table with the build rows and looks the probe rows up in it. Partitions that
 * find no room are absent, and the probe rows that they may match are stored for them. Used by the
 * task's thread alone.
 */
final class HashPass implements JoinPass, ProbeStream.Later {
  private enum Phase {
    BUILD,
    PROBE,
    UNMATCHED,
    DONE
  }

  private final JoinFrame frame;
  private final Runnable filling;
  private final ProbeStream stream;
  private final JoinTable table;
  private ProbeSpill deferred;
  private UnmatchedBuilds unmatched;
  private Phase phase = Phase.BUILD;

  private HashPass(JoinFrame frame, JoinTable table, Runnable filling, ProbeRows probes) {
    this.frame = frame;
    this.table = table;
    this.filling = filling;
    this.stream = new ProbeStream(frame, probes, this);
  }

  /**
   * A pass over build rows that a table of its own is filled with.
   *
   * @param shift how many bits of the hash the levels above have used
   */
  static HashPass over(JoinFrame frame, BuildRows builds, ProbeRows probes, int shift) {
    JoinTable table = new JoinTable(frame, JoinTable.bits(frame.context()), shift);
    Runnable filling =
        () -> {
          while (builds.next()) {
            table.add(builds);
          }
          table.filled();
        };
    return new HashPass(frame, table, filling, probes);
  }

  /** A pass over partitions that tasks share, of which it becomes the reader. */
  static HashPass over(JoinFrame frame, SharedReading builds, ProbeRows probes) {
    JoinTable table = new JoinTable(frame, builds);
    return new HashPass(frame, table, table::load, probes);
  }

  @Override
  public ColumnarBatch next() {
    if (phase == Phase.BUILD) {
      build();
    }
    if (phase == Phase.PROBE) {
      ColumnarBatch batch = stream.next();
      if (batch != null) {
        return batch;
      }
      unmatched = new UnmatchedBuilds(frame, table);
      phase = frame.spec().kind().keepsBuild() ? Phase.UNMATCHED : Phase.DONE;
    }
    if (phase == Phase.UNMATCHED) {
      ColumnarBatch batch = unmatched.next();
      if (batch != null) {
        return batch;
      }
      phase = Phase.DONE;
    }
    return null;
  }

  private void build() {
    filling.run();
    frame.probe().startOver(table, table.rows());
    boolean nothingComesOut =
        switch (frame.spec().kind()) {
          case INNER, BUILD_OUTER, SEMI -> table.rows() == 0;
          case NULL_AWARE_ANTI -> table.hasNullKeys();
          case PROBE_OUTER, FULL_OUTER, ANTI, EXISTENCE -> false;
        };
    phase = nothingComesOut ? Phase.DONE : Phase.PROBE;
  }

  @Override
  public void keep(JoinProbe slice) {
    int count = slice.deferredCount();
    if (count > 0) {
      if (deferred == null) {
        int bits = Integer.numberOfTrailingZeros(table.partitions());
        deferred = new ProbeSpill(frame, bits, table.usedBits() - bits);
      }
      deferred.add(slice.rows(), 0, slice.hashes(), slice.deferredRows(), count);
    }
  }

  @Override
  public boolean isFinal() {
    return true;
  }

  @Override
  public long spill(long bytes) {
    // Rows that only wait for their way to the disk go first.
    long freed = deferred == null ? 0 : deferred.spill(bytes);
    return freed < bytes ? freed + table.spill(bytes - freed, frame.probe().pinned()) : freed;
  }

  @Override
  public JoinLevel finish() {
    frame.closeStored();
    if (table.absent() != 0) {
      return new JoinLevel(frame, table, deferred);
    }
    table.close();
    return null;
  }
}
