package io.spillway.kernel;

/**
 * Hash joins' part of the kernels' binary interface: see {@link Abi}, and {@code spw_abi_join.h}
 * for the meaning. A test compares every size and offset with the C compiler's.
 */
public final class JoinAbi {
  private JoinAbi() {}

  /** Every pair of a probe row and a build row with equal keys. */
  public static final int MODE_ALL = 0;

  /** The same, but no further pairs of a probe row that has matched. */
  public static final int MODE_UNTIL = 1;

  /** No pairs, only the states of the probe rows. */
  public static final int MODE_FIRST = 2;

  public static final int STATE_UNMATCHED = 0;
  public static final int STATE_MATCHED = 1;

  public static final int MAX_KEYS = 32;

  // ---- struct spw_join ----

  public static final int JOIN_SIZE = 144;
  public static final int JOIN_KEYS = 0;
  public static final int JOIN_HASHES = 8;
  public static final int JOIN_KEYLESS = 16;
  public static final int JOIN_KEY_LAYOUT = 24;
  public static final int JOIN_PARTITIONS = 32;
  public static final int JOIN_ABSENT = 40;
  public static final int JOIN_STATES = 48;
  public static final int JOIN_DEFERRED = 56;
  public static final int JOIN_PAIR_ROWS = 64;
  public static final int JOIN_PAIR_BUILDS = 72;
  public static final int JOIN_CHAIN = 80;
  public static final int JOIN_NEED = 88;
  public static final int JOIN_NKEYS = 96;
  public static final int JOIN_ROW_WIDTH = 100;
  public static final int JOIN_LINK_OFFSET = 104;
  public static final int JOIN_PARTITION_BITS = 108;
  public static final int JOIN_HASH_SHIFT = 112;
  public static final int JOIN_MODE = 116;
  public static final int JOIN_ROWS = 120;
  public static final int JOIN_ROW = 124;
  public static final int JOIN_NPAIRS = 128;
  public static final int JOIN_MAX_PAIRS = 132;
  public static final int JOIN_NDEFERRED = 136;
  public static final int JOIN_NEED_PARTITION = 140;
}
