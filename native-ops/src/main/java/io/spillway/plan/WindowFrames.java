package io.spillway.plan;

import io.spillway.expression.UnsupportedException;
import io.spillway.kernel.Abi;
import io.spillway.operator.MovingSpec.Frame;
import io.spillway.operator.MovingSpec.Range;
import io.spillway.operator.WindowSpec.Scope;
import org.apache.spark.sql.catalyst.expressions.CurrentRow$;
import org.apache.spark.sql.catalyst.expressions.DateAdd;
import org.apache.spark.sql.catalyst.expressions.Descending$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NullsLast$;
import org.apache.spark.sql.catalyst.expressions.RowFrame$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.SpecifiedWindowFrame;
import org.apache.spark.sql.catalyst.expressions.UnaryMinus;
import org.apache.spark.sql.catalyst.expressions.UnboundedFollowing$;
import org.apache.spark.sql.catalyst.expressions.UnboundedPreceding$;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.NumericType;

/** Which rows a window expression covers. */
final class WindowFrames {
  /** All rows of the partition. */
  static final Frame PARTITION = new Frame(true, 0, true, 0);

  private WindowFrames() {}

  /** The scope that a frame from the partition's start on is; null if it moves otherwise. */
  static Scope scope(WindowExpression window) {
    if (frame(window) instanceof SpecifiedWindowFrame frame
        && frame.lower() == UnboundedPreceding$.MODULE$) {
      if (frame.upper() == UnboundedFollowing$.MODULE$) {
        return Scope.PARTITION;
      }
      if (frame.upper() == CurrentRow$.MODULE$) {
        return frame.frameType() == RowFrame$.MODULE$ ? Scope.ROW : Scope.PEERS;
      }
    }
    return null;
  }

  /**
   * A frame that moves with the row.
   *
   * @param functions that keep the keys and bounds of frames by range
   * @throws UnsupportedException naming the frame if it stays on the JVM
   */
  static Frame moving(WindowExpression window, MovingFunctions functions)
      throws UnsupportedException {
    if (!(frame(window) instanceof SpecifiedWindowFrame frame)) {
      throw unsupported(window);
    }
    boolean fromStart = frame.lower() == UnboundedPreceding$.MODULE$;
    boolean toEnd = frame.upper() == UnboundedFollowing$.MODULE$;
    if (frame.frameType() == RowFrame$.MODULE$) {
      return new Frame(
          fromStart,
          fromStart ? 0 : rows(frame.lower(), window),
          toEnd,
          toEnd ? 0 : rows(frame.upper(), window));
    }
    if (window.windowSpec().orderSpec().size() != 1) {
      throw unsupported(window);
    }
    SortOrder order = window.windowSpec().orderSpec().head();
    Expression key = order.child();
    int type = WindowFunctions.nativeType(key.dataType());
    if (type == Abi.T_STR || type == Abi.T_I128) {
      throw unsupported(window);
    }
    Range range =
        new Range(
            functions.keep(key),
            fromStart ? -1 : functions.keep(bound(frame.lower(), order, window)),
            toEnd ? -1 : functions.keep(bound(frame.upper(), order, window)),
            order.direction() == Descending$.MODULE$,
            order.nullOrdering() == NullsLast$.MODULE$);
    return new Frame(fromStart, 0, toEnd, 0, range);
  }

  private static int rows(Expression bound, WindowExpression window) throws UnsupportedException {
    if (bound == CurrentRow$.MODULE$) {
      return 0;
    }
    if (bound.foldable()
        && bound.dataType().equals(DataTypes.IntegerType)
        && bound.eval(null) instanceof Integer rows) {
      return rows;
    }
    throw unsupported(window);
  }

  /** The bound of a row's frame, put together as Spark does it. */
  private static Expression bound(Expression offset, SortOrder order, WindowExpression window)
      throws UnsupportedException {
    Expression key = order.child();
    if (offset == CurrentRow$.MODULE$) {
      return key;
    }
    Expression by =
        order.direction() == Descending$.MODULE$ ? new UnaryMinus(offset, false) : offset;
    if (key.dataType().equals(DataTypes.DateType)
        && offset.dataType().equals(DataTypes.IntegerType)) {
      return new DateAdd(key, by);
    }
    if (key.dataType() instanceof NumericType
        && !(key.dataType() instanceof DecimalType)
        && key.dataType().equals(offset.dataType())) {
      return WindowExpressions.add(key, by);
    }
    throw unsupported(window);
  }

  private static Expression frame(WindowExpression window) {
    return (Expression) window.windowSpec().frameSpecification();
  }

  private static UnsupportedException unsupported(WindowExpression window) {
    return new UnsupportedException("window frame " + frame(window).sql());
  }
}
