package io.spillway.plan;

import io.spillway.expression.UnsupportedException;
import io.spillway.operator.MovingSpec.Frame;
import io.spillway.operator.WindowSpec.Scope;
import org.apache.spark.sql.catalyst.expressions.CurrentRow$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.RowFrame$;
import org.apache.spark.sql.catalyst.expressions.SpecifiedWindowFrame;
import org.apache.spark.sql.catalyst.expressions.UnboundedFollowing$;
import org.apache.spark.sql.catalyst.expressions.UnboundedPreceding$;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.types.DataTypes;

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
   * A frame by rows.
   *
   * @throws UnsupportedException naming the frame if it is none
   */
  static Frame moving(WindowExpression window) throws UnsupportedException {
    if (frame(window) instanceof SpecifiedWindowFrame frame
        && frame.frameType() == RowFrame$.MODULE$) {
      boolean fromStart = frame.lower() == UnboundedPreceding$.MODULE$;
      boolean toEnd = frame.upper() == UnboundedFollowing$.MODULE$;
      return new Frame(
          fromStart,
          fromStart ? 0 : rows(frame.lower(), window),
          toEnd,
          toEnd ? 0 : rows(frame.upper(), window));
    }
    throw unsupported(window);
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

  private static Expression frame(WindowExpression window) {
    return (Expression) window.windowSpec().frameSpecification();
  }

  private static UnsupportedException unsupported(WindowExpression window) {
    return new UnsupportedException("window frame " + frame(window).sql());
  }
}
