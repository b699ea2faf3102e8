package io.spillway.kernel;

/**
 * The row store's part of the kernels' binary interface: sizes and field offsets (in bytes) of what
 * {@code spw_abi_rows.h} declares. A test compares every size and offset with the C compiler's.
 */
public final class RowsAbi {
  private RowsAbi() {}

  // ---- struct spw_rows ----

  public static final int ROWS_SIZE = 80;
  public static final int ROWS_COLUMNS = 0;
  public static final int ROWS_LAYOUT = 8;
  public static final int ROWS_PARTITIONS = 16;
  public static final int ROWS_SELECTION = 24;
  public static final int ROWS_HASHES = 32;
  public static final int ROWS_NCOLUMNS = 40;
  public static final int ROWS_ROW_WIDTH = 44;
  public static final int ROWS_PARTITION_BITS = 48;
  public static final int ROWS_HASH_SHIFT = 52;
  public static final int ROWS_ROWS = 56;
  public static final int ROWS_NEED_PARTITION = 60;
  public static final int ROWS_ROWS_DONE = 64;
  public static final int ROWS_NEED = 72;

  // ---- struct spw_rows_out ----

  public static final int OUT_SIZE = 72;
  public static final int OUT_LAYOUT = 0;
  public static final int OUT_PARTITIONS = 8;
  public static final int OUT_HANDLES = 16;
  public static final int OUT_PAGE = 24;
  public static final int OUT_PICKS = 32;
  public static final int OUT_OUT = 40;
  public static final int OUT_NCOLUMNS = 48;
  public static final int OUT_ROW_WIDTH = 52;
  public static final int OUT_NPARTITIONS = 56;
  public static final int OUT_NOUT = 60;
  public static final int OUT_FIRST = 64;
  public static final int OUT_ROWS = 68;

  /** The most columns of a row. */
  public static final int MAX_COLUMNS = Abi.ROW_BATCH_MAX_COLUMNS;

  /** Columns whose null bits lie in the row's header; those of the others lie behind it. */
  public static final int HEADER_NULLS = 32;

  /** Bytes of a row before its first slot. */
  public static int frontBytes(int columns) {
    int beyond = Math.max(0, columns - HEADER_NULLS);
    return Abi.ROW_HEADER + (beyond + 63) / 64 * 8;
  }
}
