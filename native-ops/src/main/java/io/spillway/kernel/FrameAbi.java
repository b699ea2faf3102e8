package io.spillway.kernel;

/**
 * The moving window frames' part of the kernels' binary interface: sizes and field offsets (in
 * bytes) of what {@code spw_abi_frame.h} declares. A test compares every size and offset with the C
 * compiler's.
 */
public final class FrameAbi {
  private FrameAbi() {}

  // ---- enum spw_frame_op ----

  public static final int OP_COUNT = 1;
  public static final int OP_SUM_I64 = 2;
  public static final int OP_SUM_F64 = 3;
  public static final int OP_SUM_I128 = 4;
  public static final int OP_MIN = 5;
  public static final int OP_MAX = 6;
  public static final int OP_NTH = 7;

  /** The bits of {@link #FRAME_UNBOUNDED}. */
  public static final int FROM_PARTITION_START = 1;

  public static final int TO_PARTITION_END = 2;

  // ---- struct spw_frame_fn ----

  public static final int FN_SIZE = 56;
  public static final int FN_VALUES = 0;
  public static final int FN_NULLS = 8;
  public static final int FN_SEEN = 16;
  public static final int FN_NTH = 24;
  public static final int FN_OP = 32;
  public static final int FN_TYPE = 36;
  public static final int FN_OUT_TYPE = 40;
  public static final int FN_INPUT = 44;
  public static final int FN_IGNORE_NULLS = 48;
  public static final int FN_RESERVED = 52;

  // ---- struct spw_frame ----

  public static final int FRAME_SIZE = 96;
  public static final int FRAME_SPREAD = 0;
  public static final int FRAME_INPUTS = 8;
  public static final int FRAME_FUNCTIONS = 16;
  public static final int FRAME_FROM = 24;
  public static final int FRAME_TO = 32;
  public static final int FRAME_PLACE = 40;
  public static final int FRAME_CHUNK = 48;
  public static final int FRAME_LOWER = 56;
  public static final int FRAME_UPPER = 64;
  public static final int FRAME_UNBOUNDED = 72;
  public static final int FRAME_NINPUTS = 76;
  public static final int FRAME_NFUNCTIONS = 80;
  public static final int FRAME_ROWS = 84;
  public static final int FRAME_CHUNK_ROWS = 88;
  public static final int FRAME_RESERVED = 92;

  // ---- struct spw_frame_side ----

  public static final int SIDE_SIZE = 80;
  public static final int SIDE_KEYS = 0;
  public static final int SIDE_BOUNDS = 8;
  public static final int SIDE_FROM = 16;
  public static final int SIDE_TO = 24;
  public static final int SIDE_CHUNK = 32;
  public static final int SIDE_AT = 40;
  public static final int SIDE_CHUNK_ROWS = 48;
  public static final int SIDE_FIRST = 52;
  public static final int SIDE_COUNT = 56;
  public static final int SIDE_ROWS = 60;
  public static final int SIDE_UPPER = 64;
  public static final int SIDE_DESCENDING = 68;
  public static final int SIDE_NULLS_LAST = 72;
  public static final int SIDE_RESERVED = 76;

  // ---- struct spw_frame_pick ----

  public static final int PICK_SIZE = 40;
  public static final int PICK_PLACES = 0;
  public static final int PICK_HANDLES = 8;
  public static final int PICK_FIRST = 16;
  public static final int PICK_PAGE_ROWS = 24;
  public static final int PICK_ROW_WIDTH = 28;
  public static final int PICK_ROWS = 32;
  public static final int PICK_RESERVED = 36;
}
