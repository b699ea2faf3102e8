package io.spillway.operator;

import io.spillway.expression.Program;
import java.io.Serializable;
import java.util.List;

/**
 * What a native sort does: which columns it carries and by which of them it orders. Immutable; made
 * on the driver, serialised to executors.
 *
 * @param program compiled over the child's output: the output columns first, then keys that are no
 *     columns of the output
 * @param outputColumns how many of the program's outputs come out
 * @param keys in the order in which they are compared; at least one
 * @param limit how many rows come out at the most
 */
public record SortSpec(Program program, int outputColumns, List<Key> keys, int limit)
    implements Serializable {
  /** All rows come out. */
  public static final int NO_LIMIT = Integer.MAX_VALUE;

  /**
   * One key.
   *
   * @param column which of the program's outputs
   * @param nullsLast whatever the direction
   * @param nullable whether there can be nulls
   */
  public record Key(int column, boolean descending, boolean nullsLast, boolean nullable)
      implements Serializable {}

  public SortSpec {
    keys = List.copyOf(keys);
  }

  /** The same with the first rows alone. */
  public SortSpec withLimit(int rows) {
    return new SortSpec(program, outputColumns, keys, rows);
  }
}
