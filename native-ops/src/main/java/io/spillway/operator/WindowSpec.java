package io.spillway.operator;

import io.spillway.expression.Program;
import io.spillway.kernel.WindowAbi;
import java.io.Serializable;
import java.util.List;

/**
 * What a window computes for each row. Immutable.
 *
 * @param program compiled over the child's output: all its columns first, then the partition's
 *     keys, the keys of the order, and the functions' inputs
 * @param columns how many columns the child has
 * @param partitionKeys how many keys the partition has
 * @param orderKeys how many keys the order has
 * @param functions each makes one column behind the child's
 * @param moving functions whose frames move with the row; their columns come last
 */
public record WindowSpec(
    Program program,
    int columns,
    int partitionKeys,
    int orderKeys,
    List<Function> functions,
    MovingSpec moving)
    implements Serializable {

  /** Up to where the rows lie that a value covers, from the partition's first on. */
  public enum Scope {
    /** To the row itself. */
    ROW(WindowAbi.SCOPE_ROW),
    /** To its last peer. */
    PEERS(WindowAbi.SCOPE_PEERS),
    /** To the partition's last row. */
    PARTITION(WindowAbi.SCOPE_PARTITION);

    private final int code;

    Scope(int code) {
      this.code = code;
    }

    /** As the kernels number it. */
    int code() {
      return code;
    }

    /** The place of a scope of groups among those; not for rows. */
    int place() {
      return code - WindowAbi.SCOPE_PEERS;
    }
  }

  /**
   * One function.
   *
   * @param op one of {@link WindowAbi}'s
   * @param type kernel type of the input; 0 if there is none
   * @param outType kernel type of the value
   * @param input which of the program's inputs, from 0 on; -1: none
   * @param ignoreNulls for the first and the last value
   */
  public record Function(int op, int type, int outType, int input, Scope scope, boolean ignoreNulls)
      implements Serializable {}

  public WindowSpec {
    functions = List.copyOf(functions);
  }

  /** How many keys there are. */
  int keys() {
    return partitionKeys + orderKeys;
  }

  /** The place of the functions' first input among the program's outputs. */
  int firstInput() {
    return columns + keys();
  }

  /** Whether the rows have to wait for the end of such a scope. */
  boolean has(Scope scope) {
    return (scope == Scope.PARTITION && !moving.isEmpty())
        || functions.stream().anyMatch(function -> function.scope() == scope);
  }

  /** Whether each row's values are known as soon as the row is. */
  boolean streams() {
    return !has(Scope.PEERS) && !has(Scope.PARTITION);
  }
}
