package io.spillway.kernel;

/**
 * The window functions' part of the kernels' binary interface: sizes and field offsets (in bytes)
 * of what {@code spw_abi_window.h} declares. A test compares every size and offset with the C
 * compiler's.
 */
public final class WindowAbi {
  private WindowAbi() {}

  // ---- enum spw_window_op ----

  public static final int OP_ROW_NUMBER = 1;
  public static final int OP_RANK = 2;
  public static final int OP_DENSE_RANK = 3;
  public static final int OP_COUNT = 4;
  public static final int OP_SUM_I64 = 5;
  public static final int OP_SUM_F64 = 6;
  public static final int OP_SUM_I128 = 7;
  public static final int OP_MIN = 8;
  public static final int OP_MAX = 9;
  public static final int OP_FIRST = 10;
  public static final int OP_LAST = 11;
  public static final int OP_SUM_DEC = 12;

  // ---- enum spw_window_scope ----

  public static final int SCOPE_ROW = 0;
  public static final int SCOPE_PEERS = 1;
  public static final int SCOPE_PARTITION = 2;

  /** The marks of a row that starts peers, and of one that starts a partition. */
  public static final int MARK_PEERS = 1;

  public static final int MARK_PARTITION = 3;

  // ---- struct spw_window_fn ----

  public static final int FN_SIZE = 72;
  public static final int FN_VALUES = 0;
  public static final int FN_NULLS = 8;
  public static final int FN_STATE = 16;
  public static final int FN_SEEN = 32;
  public static final int FN_MORE = 40;
  public static final int FN_OP = 48;
  public static final int FN_TYPE = 52;
  public static final int FN_OUT_TYPE = 56;
  public static final int FN_INPUT = 60;
  public static final int FN_SCOPE = 64;
  public static final int FN_IGNORE_NULLS = 68;

  // ---- struct spw_window ----

  public static final int WINDOW_SIZE = 136;
  public static final int WINDOW_KEYS = 0;
  public static final int WINDOW_INPUTS = 8;
  public static final int WINDOW_FUNCTIONS = 16;
  public static final int WINDOW_LAST = 24;
  public static final int WINDOW_TEXT = 32;
  public static final int WINDOW_MARKS = 40;
  public static final int WINDOW_LENGTHS = 48;
  public static final int WINDOW_OPEN = 64;
  public static final int WINDOW_ENDED = 80;
  public static final int WINDOW_NEED = 88;
  public static final int WINDOW_PLACE = 96;
  public static final int WINDOW_TEXT_BYTES = 104;
  public static final int WINDOW_NPARTITION = 108;
  public static final int WINDOW_NKEYS = 112;
  public static final int WINDOW_NINPUTS = 116;
  public static final int WINDOW_NFUNCTIONS = 120;
  public static final int WINDOW_ROWS = 124;
  public static final int WINDOW_HAS_LAST = 128;
  public static final int WINDOW_RESERVED = 132;

  // ---- struct spw_window_spread ----

  public static final int SPREAD_SIZE = 32;
  public static final int SPREAD_LENGTHS = 0;
  public static final int SPREAD_SELECTION = 8;
  public static final int SPREAD_USED = 16;
  public static final int SPREAD_GROUPS = 24;
  public static final int SPREAD_GROUP = 28;
}
