package io.spillway.plan;

import static io.spillway.plan.WindowExpressions.literal;

import io.spillway.expression.UnsupportedException;
import io.spillway.kernel.Abi;
import io.spillway.kernel.FrameAbi;
import io.spillway.kernel.WindowAbi;
import io.spillway.operator.MovingSpec;
import io.spillway.operator.MovingSpec.Frame;
import io.spillway.operator.MovingSpec.Function;
import io.spillway.operator.MovingSpec.Place;
import io.spillway.operator.WindowSpec.Scope;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.FrameLessOffsetWindowFunction;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.JavaConverters;

/**
 * Window functions whose frames move with the row, each a column. A frame that starts with the
 * partition is no work of its own: its value is the running one of its last row. Used while one
 * node is compiled.
 */
final class MovingFunctions {
  private final WindowFunctions window;
  private final List<Integer> kept = new ArrayList<>();
  private final FigureColumns<Function> figures = new FigureColumns<>("m");
  private final FigureColumns<Place> places = new FigureColumns<>("p");

  MovingFunctions(WindowFunctions window) {
    this.window = window;
  }

  /** What kernels compute. */
  MovingSpec spec() {
    return new MovingSpec(kept, figures.figures(), places.figures());
  }

  /** The columns that it goes to, in the same order. */
  List<Attribute> columns() {
    List<Attribute> all = new ArrayList<>(figures.columns());
    all.addAll(places.columns());
    return all;
  }

  /**
   * {@code lag} or {@code lead}.
   *
   * @throws UnsupportedException with the reason if it stays on the JVM
   */
  Expression beside(FrameLessOffsetWindowFunction function) throws UnsupportedException {
    if (function.ignoreNulls()) {
      throw new UnsupportedException(function.prettyName() + " that ignores nulls");
    }
    if (!function.offset().foldable() || !(function.offset().eval(null) instanceof Integer by)) {
      throw new UnsupportedException(function.prettyName() + " by what is not a constant");
    }
    Expression input = function.input();
    Frame row = new Frame(false, by, false, by);
    Expression value = nth(input, 1, false, row);
    Expression otherwise = JavaConverters.seqAsJavaList(function.children()).get(2);
    if (otherwise instanceof Literal literal && literal.value() == null) {
      return value;
    }
    if (!otherwise.dataType().equals(input.dataType())) {
      throw new UnsupportedException(
          function.prettyName() + " with a default of type " + otherwise.dataType().simpleString());
    }
    return new If(new GreaterThan(rows(row), literal(0)), value, otherwise);
  }

  /** How many rows a frame has. */
  private Attribute rows(Frame frame) {
    return figures.of(
        new Function(FrameAbi.OP_COUNT, 0, Abi.T_I64, -1, 0, false, frame),
        DataTypes.LongType,
        false);
  }

  /** The value in one of a frame's rows; null if the frame has no such row. */
  Attribute nth(Expression input, int nth, boolean ignoreNulls, Frame frame)
      throws UnsupportedException {
    return pick(window.input(input), input.dataType(), nth, ignoreNulls, frame);
  }

  /** The value in the row whose number a figure of the window is. */
  Attribute at(int figure, Expression input) throws UnsupportedException {
    Place place = new Place(figure, WindowFunctions.nativeType(input.dataType()), keep(input));
    return places.of(place, input.dataType(), true);
  }

  /** What covers a frame's rows. */
  Covered over(Frame frame) {
    return frame.fromStart()
        ? (op, input, type, ignoreNulls) -> running(op, input, type, ignoreNulls, frame)
        : (op, input, type, ignoreNulls) -> covering(op, input, type, ignoreNulls, frame);
  }

  private Expression running(
      int op, Expression input, DataType type, boolean ignoreNulls, Frame frame)
      throws UnsupportedException {
    if (!ignoreNulls && (op == WindowAbi.OP_FIRST || op == WindowAbi.OP_LAST)) {
      return nth(input, op == WindowAbi.OP_FIRST ? 1 : -1, false, frame);
    }
    if (WindowFunctions.nativeType(type) == Abi.T_STR) {
      throw unsupported(op, type);
    }
    Attribute figure = window.column(op, input, type, Scope.ROW, ignoreNulls);
    int column = MovingSpec.figure(window.columns().indexOf(figure));
    Attribute last = pick(column, type, -1, false, frame);
    return op == WindowAbi.OP_COUNT
        ? new Coalesce(JavaConverters.asScalaBuffer(List.<Expression>of(last, literal(0))).toList())
        : last;
  }

  private Expression covering(
      int op, Expression input, DataType type, boolean ignoreNulls, Frame frame)
      throws UnsupportedException {
    if (op == WindowAbi.OP_FIRST || op == WindowAbi.OP_LAST) {
      return nth(input, op == WindowAbi.OP_FIRST ? 1 : -1, ignoreNulls, frame);
    }
    int outType = WindowFunctions.nativeType(type);
    if (input == null) {
      return rows(frame);
    }
    if (outType == Abi.T_STR || op == WindowAbi.OP_SUM_DEC) {
      throw unsupported(op, type);
    }
    int inputType = WindowFunctions.nativeType(input.dataType());
    int column = keep(input);
    return figures.of(
        new Function(frameOp(op), inputType, outType, column, 0, false, frame),
        type,
        op != WindowAbi.OP_COUNT);
  }

  private static UnsupportedException unsupported(int op, DataType type) {
    String what =
        switch (op) {
          case WindowAbi.OP_SUM_DEC -> "sum of as many digits as a";
          case WindowAbi.OP_MIN -> "least";
          case WindowAbi.OP_MAX -> "greatest";
          case WindowAbi.OP_FIRST -> "first not-null";
          default -> "last not-null";
        };
    return new UnsupportedException(
        what + " " + type.simpleString() + " of a window frame that moves");
  }

  private static int frameOp(int op) {
    return switch (op) {
      case WindowAbi.OP_COUNT -> FrameAbi.OP_COUNT;
      case WindowAbi.OP_SUM_I64 -> FrameAbi.OP_SUM_I64;
      case WindowAbi.OP_SUM_F64 -> FrameAbi.OP_SUM_F64;
      case WindowAbi.OP_SUM_I128 -> FrameAbi.OP_SUM_I128;
      case WindowAbi.OP_MIN -> FrameAbi.OP_MIN;
      case WindowAbi.OP_MAX -> FrameAbi.OP_MAX;
      default -> throw new IllegalArgumentException("no function of a frame: " + op);
    };
  }

  private Attribute pick(int column, DataType type, int nth, boolean ignoreNulls, Frame frame)
      throws UnsupportedException {
    int nativeType = WindowFunctions.nativeType(type);
    return figures.of(
        new Function(
            FrameAbi.OP_NTH, nativeType, nativeType, keep(column), nth, ignoreNulls, frame),
        type,
        true);
  }

  /** Keeps a value of each row; the number of its column. */
  int keep(Expression value) {
    return keep(window.input(value));
  }

  /** The number of what is kept of each row, once for all who read it. */
  private int keep(int column) {
    if (!kept.contains(column)) {
      kept.add(column);
    }
    return kept.indexOf(column);
  }
}
