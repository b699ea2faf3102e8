package io.spillway.kernel;

/**
 * The sort's part of the kernels' binary interface: sizes and field offsets (in bytes) of what
 * {@code spw_abi_sort.h} declares. A test compares every size and offset with the C compiler's.
 */
public final class SortAbi {
  private SortAbi() {}

  // ---- struct spw_sort_key ----

  public static final int KEY_SIZE = 16;
  public static final int KEY_COLUMN = 0;
  public static final int KEY_DESCENDING = 4;
  public static final int KEY_NULLS_LAST = 8;
  public static final int KEY_NULLABLE = 12;

  // ---- struct spw_sort_entry ----

  public static final int ENTRY_SIZE = 16;
  public static final int ENTRY_PREFIX = 0;
  public static final int ENTRY_HANDLE = 8;

  /** The most entries that one call sorts. */
  public static final int MAX_ENTRIES = 65536;

  // ---- struct spw_sort_run ----

  public static final int RUN_SIZE = 56;
  public static final int RUN_ENTRIES = 0;
  public static final int RUN_PAGE = 8;
  public static final int RUN_NEXT = 16;
  public static final int RUN_COUNT = 20;
  public static final int RUN_PREFIX = 24;
  public static final int RUN_ROW = 32;
  public static final int RUN_ROW_PAGE = 40;
  public static final int RUN_ENDED = 48;
  public static final int RUN_RESERVED = 52;

  // ---- struct spw_sort ----

  public static final int SORT_SIZE = 80;
  public static final int SORT_LAYOUT = 0;
  public static final int SORT_KEYS = 8;
  public static final int SORT_STRINGS = 16;
  public static final int SORT_PARTITION = 24;
  public static final int SORT_RUNS = 32;
  public static final int SORT_TREE = 40;
  public static final int SORT_NCOLUMNS = 48;
  public static final int SORT_ROW_WIDTH = 52;
  public static final int SORT_NKEYS = 56;
  public static final int SORT_NSTRINGS = 60;
  public static final int SORT_NRUNS = 64;
  public static final int SORT_NEED_RUN = 68;
  public static final int SORT_NEED = 72;

  // ---- struct spw_sort_first ----

  public static final int FIRST_SIZE = 48;
  public static final int FIRST_COLUMN = 0;
  public static final int FIRST_HEAP = 8;
  public static final int FIRST_SELECTION = 16;
  public static final int FIRST_DESCENDING = 24;
  public static final int FIRST_NULLS_LAST = 28;
  public static final int FIRST_EXACT = 32;
  public static final int FIRST_LIMIT = 36;
  public static final int FIRST_COUNT = 40;
  public static final int FIRST_ROWS = 44;
}
