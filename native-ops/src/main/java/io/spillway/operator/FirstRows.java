package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.SortAbi;
import io.spillway.kernel.SortKernels;
import org.apache.spark.unsafe.Platform;

/**
 * Leaves out, before a sort stores them, rows that cannot be among the first ones: those of which
 * the first key alone says that enough others are before them. Mirrors a {@code spw_sort_first}.
 * Used by one thread; its memory is the operator's.
 */
final class FirstRows {
  /** For more, keeping the best keys would cost more than the rows that are left out. */
  private static final int MOST_ROWS = 1 << 16;

  private final int column;
  private final long selection;
  private final long block;

  private FirstRows(OperatorContext context, SortSpec spec, int maxRows) {
    SortSpec.Key key = spec.keys().get(0);
    column = key.column();
    Arena size = new Arena(0);
    take(size, spec, maxRows);
    Arena arena = new Arena(context.memory().allocate(size.used()).address());
    block = arena.take(SortAbi.FIRST_SIZE);
    Platform.setMemory(block, (byte) 0, SortAbi.FIRST_SIZE);
    Platform.putLong(null, block + SortAbi.FIRST_HEAP, arena.take(8L * spec.limit()));
    selection = arena.take(4L * maxRows);
    Platform.putLong(null, block + SortAbi.FIRST_SELECTION, selection);
    Platform.putInt(null, block + SortAbi.FIRST_DESCENDING, key.descending() ? 1 : 0);
    Platform.putInt(null, block + SortAbi.FIRST_NULLS_LAST, key.nullsLast() ? 1 : 0);
    Platform.putInt(null, block + SortAbi.FIRST_EXACT, isExact(spec) ? 1 : 0);
    Platform.putInt(null, block + SortAbi.FIRST_LIMIT, spec.limit());
  }

  private static void take(Arena arena, SortSpec spec, int maxRows) {
    arena.take(SortAbi.FIRST_SIZE);
    arena.take(8L * spec.limit());
    arena.take(4L * maxRows);
  }

  /**
   * For a sort of which the first rows alone are wanted.
   *
   * @param maxRows the most rows of one {@link #select}
   * @return null if so many are wanted that it would not help
   */
  static FirstRows of(OperatorContext context, SortSpec spec, int maxRows) {
    long mostBytes = context.budget().shareBytes() / 16;
    boolean few = spec.limit() > 0 && spec.limit() <= MOST_ROWS && 8L * spec.limit() <= mostBytes;
    return few ? new FirstRows(context, spec, maxRows) : null;
  }

  /** Whether equal codes mean that rows may stand in either order; see spw_abi_sort.h. */
  private static boolean isExact(SortSpec spec) {
    SortSpec.Key key = spec.keys().get(0);
    int type = spec.program().outputTypes()[key.column()];
    boolean whole = type != Abi.T_STR && type != Abi.T_I128;
    // The codes of 64 bits leave none for a null alone.
    boolean ownNull = !key.nullable() || Abi.width(type) < 8;
    return spec.keys().size() == 1 && whole && ownNull;
  }

  /** Which of the sort's columns is looked at. */
  int column() {
    return column;
  }

  /**
   * Selects rows.
   *
   * @param key address of the {@code spw_column} of the rows' first key
   * @return how many may be among the first; their numbers are at {@link #selection}
   */
  int select(long key, int rows) {
    Platform.putLong(null, block + SortAbi.FIRST_COLUMN, key);
    Platform.putInt(null, block + SortAbi.FIRST_ROWS, rows);
    return (int) SortKernels.first(block);
  }

  /** Address of the 32-bit numbers of the selected rows. */
  long selection() {
    return selection;
  }
}
