package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.FrameAbi;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * The functions of a window whose frames move with the row, and what they read. Immutable.
 *
 * @param columns what is kept of each row for them: the number of one of the program's inputs, or
 *     {@link #figure} of a function of the scope {@link WindowSpec.Scope#ROW}
 * @param functions each makes one column
 * @param places each makes one column behind those
 */
public record MovingSpec(List<Integer> columns, List<Function> functions, List<Place> places)
    implements Serializable {

  /**
   * Which rows of its partition a row's value covers.
   *
   * @param fromStart whether from the partition's first on; then {@code lower} is 0
   * @param lower the frame's first row, counted from the row itself on
   * @param toEnd whether to the partition's last; then {@code upper} is 0
   * @param upper the frame's last row, counted from the row itself on
   * @param range what bounds the frame instead of numbers of rows, which are 0 then; or null
   */
  public record Frame(boolean fromStart, int lower, boolean toEnd, int upper, Range range)
      implements Serializable {
    /** A frame by numbers of rows. */
    public Frame(boolean fromStart, int lower, boolean toEnd, int upper) {
      this(fromStart, lower, toEnd, upper, null);
    }
  }

  /**
   * A frame that has the rows whose keys lie within bounds.
   *
   * @param key number of the column that the rows are in the order of
   * @param lower number of the column with the least key of each row's frame, or with the greatest
   *     if the order is descending; -1 if the frame starts with the partition
   * @param upper likewise of the other side
   * @param nullsLast whether rows without a key come behind the others
   */
  public record Range(int key, int lower, int upper, boolean descending, boolean nullsLast)
      implements Serializable {}

  /**
   * One function.
   *
   * @param op one of {@link FrameAbi}'s
   * @param type kernel type of the input; 0 if there is none
   * @param outType kernel type of the value
   * @param column number of the column that it reads; -1: none
   * @param nth for {@link FrameAbi#OP_NTH}: which of the frame's rows, from its first (1, 2, ...)
   *     or from its last (-1, -2, ...) on; else 0
   * @param ignoreNulls whether only rows with a value count for that
   */
  public record Function(
      int op, int type, int outType, int column, int nth, boolean ignoreNulls, Frame frame)
      implements Serializable {

    /** Whether it finds a row, whose value is then read. */
    boolean picks() {
      return op == FrameAbi.OP_NTH;
    }

    /** Whether it has to see the rows of a frame. */
    boolean scans() {
      return picks() ? ignoreNulls : column >= 0;
    }

    /** Whether what it reads depends on where the frame begins. */
    boolean readsFromStart() {
      return scans() || (picks() && nth > 0);
    }

    /** The kernel type of what the kernels come to. */
    int kernelType() {
      return picks() ? Abi.T_I64 : outType;
    }
  }

  /**
   * The value of a row whose number another function of the window comes to.
   *
   * @param figure that function; its values ascend
   * @param type kernel type of the value
   * @param column number of the column that it is read from
   */
  public record Place(int figure, int type, int column) implements Serializable {}

  public MovingSpec {
    columns = List.copyOf(columns);
    functions = List.copyOf(functions);
    places = List.copyOf(places);
  }

  /** The column that keeps what a function of each row alone comes to. */
  public static int figure(int function) {
    return ~function;
  }

  boolean isEmpty() {
    return functions.isEmpty() && places.isEmpty();
  }

  /** All different frames. */
  List<Frame> frames() {
    return functions.stream().map(Function::frame).distinct().toList();
  }

  /** How many columns are values of rows that are found first. */
  int picks() {
    return (int) functions.stream().filter(Function::picks).count() + places.size();
  }

  /** How many frames are by range. */
  int ranges() {
    return (int) frames().stream().filter(frame -> frame.range() != null).count();
  }

  /** The functions over a frame. */
  int[] over(Frame frame) {
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < functions.size(); i++) {
      if (functions.get(i).frame().equals(frame)) {
        all.add(i);
      }
    }
    return all.stream().mapToInt(Integer::intValue).toArray();
  }
}
