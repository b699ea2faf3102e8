package io.spillway.kernel;

import io.spillway.memory.NativeLibrary;
import io.spillway.memory.NativeUnavailableException;

/**
 * The native kernels, one static method each. Addresses and counts are plain numbers; what lies
 * behind them is laid out as {@code spw_abi.h} says and {@link Abi} repeats.
 *
 * <p>A kernel allocates nothing, keeps nothing and calls nothing back, so every method may be
 * called from any thread as long as no two threads share an output. The memory belongs to the
 * caller, who keeps it alive for the call. An address that does not point to what the header asks
 * for is not detected: it takes the process down like any wild pointer.
 *
 * <p>Every method returns the kernel's result: a count of at least 0, or {@link Abi#NEEDS_PAGE},
 * {@link Abi#NEEDS_INDEX}, {@link Abi#NEEDS_BYTES} or {@link Abi#NEEDS_HOST}, after which the same
 * call can be repeated. Every other result is thrown as a {@link KernelException}. When the library
 * is not {@link #available() available} every method throws {@link IllegalStateException} with the
 * reason.
 */
public final class Kernels {
  private static final Loaded LOADED = load();

  private Kernels() {}

  /** What loading the library came to: a level of at least 0, or a reason why there is none. */
  private record Loaded(int level, String reason) {}

  private static Loaded load() {
    try {
      NativeLibrary.load("spillway_kernels", Kernels.class);
      int version = Natives.abiVersion();
      if (version != Abi.ABI_VERSION) {
        return new Loaded(
            -1,
            "the native library spillway_kernels has ABI version "
                + version
                + " but this jar needs "
                + Abi.ABI_VERSION
                + ": put one Spillway jar on the class path, not two");
      }
      return new Loaded(Natives.cpuLevel(), null);
    } catch (NativeUnavailableException e) {
      return new Loaded(-1, e.getMessage());
    } catch (UnsatisfiedLinkError e) {
      return new Loaded(
          -1, "the native library spillway_kernels cannot be linked: " + e.getMessage());
    }
  }

  /** Whether the kernels can be called in this process; decided once. */
  public static boolean available() {
    return LOADED.reason == null;
  }

  /** Why the kernels cannot be called: one sentence; null if they can. */
  public static String unavailableReason() {
    return LOADED.reason;
  }

  /** The best build of the kernels that this processor runs: one of {@code Abi.LEVEL_}. */
  public static int level() {
    return ready();
  }

  /** Runs an expression program over a {@code spw_eval}; returns its rows. */
  public static long eval(long block) {
    return checked("eval", Natives.eval(ready(), block));
  }

  /**
   * As {@link #eval(long)} with one of the two builds of the kernels.
   *
   * @param level from {@link Abi#LEVEL_BASELINE} to {@link #level()}
   * @throws IllegalArgumentException if this processor cannot run that level
   */
  public static long eval(long block, int level) {
    if (level < Abi.LEVEL_BASELINE || level > ready()) {
      throw new IllegalArgumentException(
          "CPU level " + level + " is outside 0.." + ready() + " of this processor");
    }
    return checked("eval", Natives.eval(level, block));
  }

  /**
   * Adds rows {@code [start, rows)} to an aggregation's table; see {@code spw_agg_add}.
   *
   * @throws KernelException with {@link Abi#TOO_LONG} if no page can be large enough for a group
   */
  public static long aggAdd(long block, long start) {
    return checked("agg_add", Natives.aggAdd(ready(), block, start));
  }

  /** Merges the rows of a page that lies outside the table; see {@code spw_agg_merge_page}. */
  public static long aggMergePage(long block, long page, long start) {
    return checked("agg_merge_page", Natives.aggMergePage(ready(), block, page, start));
  }

  /** Makes the only group of an aggregation without keys exist; see {@code spw_agg_init_group}. */
  public static long aggInitGroup(long block) {
    return checked("agg_init_group", Natives.aggInitGroup(ready(), block));
  }

  /** Fills a partition's hash index from its pages; returns its live rows. */
  public static long indexBuild(long partition, int rowWidth) {
    return checked("index_build", Natives.indexBuild(ready(), partition, rowWidth));
  }

  /** Writes an empty page's header. */
  public static long pageInit(long page, int capacity) {
    return checked("page_init", Natives.pageInit(ready(), page, capacity));
  }

  /**
   * Validates a page that was read back.
   *
   * @throws KernelException with {@link Abi#BAD_PAGE} if it contradicts itself
   */
  public static long pageCheck(long block, long page, int capacity) {
    return checked("page_check", Natives.pageCheck(ready(), block, page, capacity));
  }

  /** Writes a page's groups into columns; returns the rows written. */
  public static long aggEmit(long block) {
    return checked("agg_emit", Natives.aggEmit(ready(), block));
  }

  /** Reads UnsafeRows into columns; returns the rows. */
  public static long rowsToColumns(long block) {
    return checked("rows_to_columns", Natives.rowsToColumns(ready(), block));
  }

  /**
   * Writes columns as UnsafeRows from row {@code start} on; returns the rows written.
   *
   * @throws KernelException with {@link Abi#TOO_LONG} if no buffer can be large enough for that row
   */
  public static long columnsToRows(long block, int start) {
    return checked("columns_to_rows", Natives.columnsToRows(ready(), block, start));
  }

  /** Numbers of the rows that are true; returns how many. */
  public static long select(long values, long nulls, int rows, long out) {
    return checked("select", Natives.select(ready(), values, nulls, rows, out));
  }

  /** Copies the selected rows of every column; returns {@code count}. */
  public static long take(long in, long out, int ncolumns, long selection, int count) {
    return checked("take", Natives.take(ready(), in, out, ncolumns, selection, count));
  }

  /** Decodes dictionary ids; returns {@code rows}. */
  public static long dictionary(
      int type, long dictionary, int entries, long ids, long nulls, int rows, long out) {
    return checked(
        "dictionary",
        Natives.dictionary(ready(), type, dictionary, entries, ids, nulls, rows, out));
  }

  /** Makes string values from offsets and lengths; returns {@code rows}. */
  public static long strings(
      long offsets, long lengths, long data, long dataBytes, long nulls, int rows, long out) {
    return checked(
        "strings", Natives.strings(ready(), offsets, lengths, data, dataBytes, nulls, rows, out));
  }

  /** Makes 128-bit decimals from big-endian bytes; returns {@code rows}. */
  public static long decimals(
      long offsets, long lengths, long data, long dataBytes, long nulls, int rows, long out) {
    return checked(
        "decimals", Natives.decimals(ready(), offsets, lengths, data, dataBytes, nulls, rows, out));
  }

  /** Widens I8, I16 or I32 to I64; returns {@code rows}. */
  public static long widen(int from, long in, int rows, long out) {
    return checked("widen", Natives.widen(ready(), from, in, rows, out));
  }

  /** The level of the kernels to call; throws if there are none. */
  static int ready() {
    if (LOADED.reason != null) {
      throw new IllegalStateException("no native kernels: " + LOADED.reason);
    }
    return LOADED.level;
  }

  /** The result if it is a count or a need, else an exception with its meaning. */
  static long checked(String kernel, long result) {
    if (result >= Abi.NEEDS_HOST) {
      return result;
    }
    String text = Natives.resultText((int) result);
    throw new KernelException(kernel, (int) result, text == null ? "not a known result" : text);
  }
}
