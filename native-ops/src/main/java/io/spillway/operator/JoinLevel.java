package io.spillway.operator;

import io.spillway.memory.spill.SpillSegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * What a pass left on disk: pairs of a build and a probe partition, to be joined one after the
 * other. Owns the files. Used by the task's thread alone.
 */
final class JoinLevel implements AutoCloseable {
  /** Bits of the hash that must be left for another level. */
  private static final int LAST_BITS = 56;

  /**
   * One partition.
   *
   * @param divides whether the next bits of the hash are likely to make it smaller
   */
  record Work(List<SpillSegment> builds, List<SpillSegment> probes, boolean divides) {}

  private final JoinTable table;
  private final ProbeSpill probes;
  private final Deque<Work> waiting = new ArrayDeque<>();

  /**
   * Takes over a table and its deferred probe rows, and frees what of them is in memory. Allocates
   * nothing.
   *
   * @param probes null if no row was deferred
   */
  JoinLevel(JoinFrame frame, JoinTable table, ProbeSpill probes) {
    this.table = table;
    this.probes = probes;
    if (probes != null) {
      probes.flush();
    }
    for (int i = 0; i < table.partitions(); i++) {
      List<SpillSegment> builds = table.segments(i);
      List<SpillSegment> rows = probes == null ? List.of() : probes.segments(i);
      if (table.isAbsent(i) && (frame.spec().kind().keepsBuild() || !rows.isEmpty())) {
        // A key that fills a partition stays together, whatever bits of its hash are looked at.
        boolean divides = table.usedBits() < LAST_BITS && table.rows(i) <= table.rows() / 4 * 3;
        waiting.add(new Work(builds, rows, divides));
      }
      table.clear(i);
    }
  }

  /** The next partition to join; null if there is none. */
  Work poll() {
    return waiting.poll();
  }

  JoinTable table() {
    return table;
  }

  /** Null if no partition has probe rows. */
  ProbeSpill probes() {
    return probes;
  }

  @Override
  public void close() {
    if (probes != null) {
      probes.close();
    }
    table.close();
  }
}
