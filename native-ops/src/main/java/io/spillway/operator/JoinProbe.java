package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.JoinAbi;
import io.spillway.kernel.JoinKernels;
import io.spillway.kernel.RowsKernels;
import io.spillway.memory.OperatorMemory;
import org.apache.spark.unsafe.Platform;

/**
 * Looks the probe rows of one slice up in a table: a {@code spw_join} and the memory that it works
 * on. Knows each row's state, the rows whose partition is absent, and the pairs that are found but
 * not yet put out. Its memory is the operator's. Used by the task's thread alone.
 */
final class JoinProbe {
  private final JoinFrame frame;
  private final JoinSpec spec;
  private final Evaluator keys;
  private final JoinCondition condition;
  private final long block;
  private final long hashes;
  private final long keyless;
  private final long states;
  private final long deferred;
  private final long pairRows;
  private final long pairBuilds;
  private final long selection;
  private ProbeTable table;
  private NativeColumns rows;
  private boolean nullsMatch;
  private int firstPair;
  private int lastPair;

  JoinProbe(JoinFrame frame) {
    this.frame = frame;
    this.spec = frame.spec();
    OperatorMemory memory = frame.memory();
    int maxRows = frame.maxRows();
    keys = new Evaluator(frame.context(), spec.probeKeys(), maxRows);
    condition = spec.condition() == null ? null : new JoinCondition(frame);
    Arena at = new Arena(memory.allocate(JoinAbi.JOIN_SIZE + 30L * maxRows + 160).address());
    block = at.take(JoinAbi.JOIN_SIZE);
    hashes = at.take(8L * maxRows);
    keyless = at.take(maxRows);
    states = at.take(maxRows);
    deferred = at.take(4L * maxRows);
    pairRows = at.take(4L * maxRows);
    pairBuilds = at.take(8L * maxRows);
    selection = at.take(4L * maxRows);
  }

  /** Looks rows up in this table from now on. */
  void over(ProbeTable next) {
    table = next;
    rows = null;
    firstPair = 0;
    lastPair = 0;
    next.describe(block, frame);
    Platform.putLong(null, block + JoinAbi.JOIN_HASHES, hashes);
    Platform.putLong(null, block + JoinAbi.JOIN_KEYLESS, keyless);
    Platform.putLong(null, block + JoinAbi.JOIN_STATES, states);
    Platform.putLong(null, block + JoinAbi.JOIN_DEFERRED, deferred);
    Platform.putLong(null, block + JoinAbi.JOIN_PAIR_ROWS, pairRows);
    Platform.putLong(null, block + JoinAbi.JOIN_PAIR_BUILDS, pairBuilds);
    Platform.putInt(null, block + JoinAbi.JOIN_MAX_PAIRS, frame.maxRows());
    int mode =
        spec.kind().emitsPairs()
            ? JoinAbi.MODE_ALL
            : condition == null ? JoinAbi.MODE_FIRST : JoinAbi.MODE_UNTIL;
    Platform.putInt(null, block + JoinAbi.JOIN_MODE, mode);
  }

  /**
   * Says what the build side's size means for probe rows with a null key: in a null-aware anti join
   * a null may equal any key, so they do not come out if there is any.
   *
   * @param buildRows of the whole build side
   */
  void startOver(ProbeTable next, long buildRows) {
    nullsMatch = spec.kind() == JoinSpec.Kind.NULL_AWARE_ANTI && buildRows > 0;
    over(next);
  }

  /** Starts with the rows at hand of a source; they must stay valid until {@link #isDone()}. */
  void begin(ProbeRows source) {
    rows = source.columns();
    keys.evaluate(rows);
    int count = rows.rows();
    RowsKernels.hash(keys.outputs(), spec.keys(), count, hashes, keyless);
    if (source.states() != 0) {
      Platform.copyMemory(null, source.states(), null, states, count);
    } else if (nullsMatch) {
      // A byte that says that a key is null is at the same time the state of a row that matched.
      Platform.copyMemory(null, keyless, null, states, count);
    } else {
      Platform.setMemory(states, (byte) JoinAbi.STATE_UNMATCHED, count);
    }
    Platform.putLong(null, block + JoinAbi.JOIN_KEYS, keys.outputs());
    Platform.putLong(null, block + JoinAbi.JOIN_CHAIN, 0);
    Platform.putInt(null, block + JoinAbi.JOIN_ROWS, count);
    Platform.putInt(null, block + JoinAbi.JOIN_ROW, 0);
    Platform.putInt(null, block + JoinAbi.JOIN_NDEFERRED, 0);
  }

  /** Whether every row was looked up, or deferred; pairs may still wait to be put out. */
  boolean isDone() {
    return nextRow() == rows.rows();
  }

  /** Looks further rows up, until there is no room for pairs; gives a partition its index. */
  void step() {
    Platform.putLong(null, block + JoinAbi.JOIN_ABSENT, table.absent());
    boolean needsIndex = JoinKernels.probe(block) == Abi.NEEDS_INDEX;
    int found = Platform.getInt(null, block + JoinAbi.JOIN_NPAIRS);
    if (found > 0) {
      found = keep(found);
    } else if (needsIndex) {
      table.index(
          Platform.getInt(null, block + JoinAbi.JOIN_NEED_PARTITION),
          Platform.getLong(null, block + JoinAbi.JOIN_NEED));
    }
    firstPair = 0;
    lastPair = spec.kind().emitsPairs() ? found : 0;
  }

  /** Drops the pairs that fail the condition, and notes on both sides who has matched. */
  private int keep(int found) {
    long kept = 0;
    int count = found;
    if (condition != null) {
      count = condition.select(rows, table, pairRows, pairBuilds, found, selection);
      kept = selection;
    } else if (spec.kind() == JoinSpec.Kind.INNER) {
      return found;
    }
    return (int) JoinKernels.mark(block, kept, count, spec.kind().keepsBuild());
  }

  /**
   * Finds build rows of one page that nothing has matched, as pairs without a probe row, and marks
   * them, so that each is found once.
   *
   * @return the row of the page where to go on
   */
  int unmatchedBuilds(int partition, int page, int startRow) {
    firstPair = 0;
    lastPair = (int) JoinKernels.unmatched(block, partition, page, startRow);
    return nextRow();
  }

  private int nextRow() {
    return Platform.getInt(null, block + JoinAbi.JOIN_ROW);
  }

  // ---- what was found

  ProbeTable table() {
    return table;
  }

  /** The probe rows at hand. */
  NativeColumns rows() {
    return rows;
  }

  /** How many pairs wait to be put out. */
  int pairs() {
    return lastPair - firstPair;
  }

  /** Address of the 32-bit numbers of the waiting pairs' probe rows. */
  long pairRows() {
    return pairRows + 4L * firstPair;
  }

  /** Address of the handles of the waiting pairs' build rows. */
  long pairBuilds() {
    return pairBuilds + 8L * firstPair;
  }

  /** So many of the waiting pairs are put out. */
  void taken(int count) {
    firstPair += count;
  }

  /** Address of the state of each probe row, a byte each. */
  long states() {
    return states;
  }

  /** Address of the hash of each probe row. */
  long hashes() {
    return hashes;
  }

  /** Address of the 32-bit numbers of the rows whose partition is absent. */
  long deferredRows() {
    return deferred;
  }

  /** How many rows were deferred. */
  int deferredCount() {
    return Platform.getInt(null, block + JoinAbi.JOIN_NDEFERRED);
  }

  /**
   * Selects probe rows by their states.
   *
   * @param mask bit {@code s} set: rows of state {@code s}
   * @return how many; their numbers are at {@link #selection()} until the next call
   */
  int select(int mask) {
    return (int) JoinKernels.having(states, rows.rows(), mask, selection);
  }

  long selection() {
    return selection;
  }

  /** Partitions that must stay in memory because they are pointed into, a bit each. */
  long pinned() {
    if (pairs() > 0) {
      return -1L;
    }
    if (rows == null || Platform.getLong(null, block + JoinAbi.JOIN_CHAIN) == 0) {
      return 0;
    }
    return 1L << table.partitionOf(Platform.getLong(null, hashes + 8L * nextRow()));
  }
}
