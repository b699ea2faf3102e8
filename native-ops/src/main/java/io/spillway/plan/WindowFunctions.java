package io.spillway.plan;

import static io.spillway.plan.WindowExpressions.add;
import static io.spillway.plan.WindowExpressions.as;
import static io.spillway.plan.WindowExpressions.asDouble;
import static io.spillway.plan.WindowExpressions.asLong;
import static io.spillway.plan.WindowExpressions.divide;
import static io.spillway.plan.WindowExpressions.literal;
import static io.spillway.plan.WindowExpressions.subtract;

import io.spillway.expression.NativeTypes;
import io.spillway.expression.UnsupportedException;
import io.spillway.kernel.Abi;
import io.spillway.kernel.WindowAbi;
import io.spillway.operator.MovingSpec.Frame;
import io.spillway.operator.WindowSpec.Function;
import io.spillway.operator.WindowSpec.Scope;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.CumeDist;
import org.apache.spark.sql.catalyst.expressions.DenseRank;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.FrameLessOffsetWindowFunction;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.IntegralDivide;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Multiply;
import org.apache.spark.sql.catalyst.expressions.NTile;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NthValue;
import org.apache.spark.sql.catalyst.expressions.PercentRank;
import org.apache.spark.sql.catalyst.expressions.Rank;
import org.apache.spark.sql.catalyst.expressions.Remainder;
import org.apache.spark.sql.catalyst.expressions.RowNumber;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import scala.collection.JavaConverters;

/**
 * Takes window functions apart: into what kernels compute row by row, each a column, and an
 * expression over these columns that is Spark's value. Used while one node is compiled.
 */
final class WindowFunctions {
  private final FigureColumns<Function> figures = new FigureColumns<>("w");
  private final List<Expression> inputs = new ArrayList<>();
  private final MovingFunctions moving = new MovingFunctions(this);

  /** What kernels compute. */
  List<Function> functions() {
    return figures.figures();
  }

  /** The columns that it goes to, in the same order. */
  List<Attribute> columns() {
    return figures.columns();
  }

  /** Those whose frames move with the row. */
  MovingFunctions moving() {
    return moving;
  }

  /** What the functions read. */
  List<Expression> inputs() {
    return inputs;
  }

  /**
   * The expression with columns of the window in the place of window functions.
   *
   * @throws UnsupportedException naming a function or frame that stays on the JVM
   */
  Expression over(Expression expression) throws UnsupportedException {
    if (expression instanceof WindowExpression window) {
      return value(window);
    }
    List<Expression> children = new ArrayList<>();
    for (Expression child : JavaConverters.seqAsJavaList(expression.children())) {
      children.add(over(child));
    }
    return children.isEmpty()
        ? expression
        : expression.withNewChildren(JavaConverters.asScalaBuffer(children).toIndexedSeq());
  }

  private Expression value(WindowExpression window) throws UnsupportedException {
    Expression function = window.windowFunction();
    if (function instanceof FrameLessOffsetWindowFunction offset) {
      return moving.beside(offset);
    }
    if (function instanceof AggregateExpression aggregate) {
      if (aggregate.isDistinct() || aggregate.filter().isDefined()) {
        throw new UnsupportedException("a distinct or filtered window function");
      }
      Scope scope = WindowFrames.scope(window);
      return WindowAggregates.value(
          aggregate.aggregateFunction(),
          scope == null ? moving.over(WindowFrames.moving(window, moving)) : over(scope));
    }
    if (function instanceof NthValue nth) {
      return nth(nth, window);
    }
    return ranking(function);
  }

  private Expression nth(NthValue nth, WindowExpression window) throws UnsupportedException {
    if (!nth.offset().foldable() || !(nth.offset().eval(null) instanceof Integer number)) {
      throw new UnsupportedException("nth_value of what is not a constant");
    }
    Scope scope = WindowFrames.scope(window);
    if (scope != null && number == 1) {
      // What Spark makes of the first value of a frame by rows that starts with the partition.
      return over(scope).figure(WindowAbi.OP_FIRST, nth.input(), nth.dataType(), nth.ignoreNulls());
    }
    Frame frame =
        scope == Scope.PEERS || scope == Scope.PARTITION
            ? WindowFrames.PARTITION
            : WindowFrames.moving(window, moving);
    if (nth.ignoreNulls() && frame.fromStart()) {
      throw new UnsupportedException("nth_value that ignores nulls from a partition's start on");
    }
    Expression value = moving.nth(nth.input(), number, nth.ignoreNulls(), frame);
    return scope != Scope.PEERS
        ? value
        : new If(
            new LessThanOrEqual(
                literal(number), asLong(counter(WindowAbi.OP_ROW_NUMBER, Scope.PEERS))),
            value,
            new Literal(null, nth.dataType()));
  }

  private Covered over(Scope scope) {
    return (op, input, type, ignoreNulls) -> {
      if (nativeType(type) != Abi.T_STR) {
        return column(op, input, type, scope, ignoreNulls);
      }
      if (op == WindowAbi.OP_FIRST && !ignoreNulls) {
        return moving.nth(input, 1, false, WindowFrames.PARTITION);
      }
      if (op == WindowAbi.OP_LAST && !ignoreNulls && scope == Scope.PARTITION) {
        return moving.nth(input, -1, false, WindowFrames.PARTITION);
      }
      if (op == WindowAbi.OP_LAST && !ignoreNulls && scope == Scope.ROW) {
        return input;
      }
      // A string's row is what kernels find; the string is read when the row comes out.
      Attribute place = column(op, input, DataTypes.LongType, scope, ignoreNulls);
      return moving.at(columns().indexOf(place), input);
    };
  }

  /** A row's number, rank or dense rank, with no regard to a frame. */
  Attribute rank(Expression function) throws UnsupportedException {
    if (function instanceof RowNumber) {
      return counter(WindowAbi.OP_ROW_NUMBER, Scope.ROW);
    }
    if (function instanceof Rank) {
      return counter(WindowAbi.OP_RANK, Scope.ROW);
    }
    if (function instanceof DenseRank) {
      return counter(WindowAbi.OP_DENSE_RANK, Scope.ROW);
    }
    throw new UnsupportedException("window function " + function.prettyName());
  }

  private Expression ranking(Expression function) throws UnsupportedException {
    if (function instanceof PercentRank) {
      Expression rank = counter(WindowAbi.OP_RANK, Scope.ROW);
      Expression size = counter(WindowAbi.OP_ROW_NUMBER, Scope.PARTITION);
      Expression one = new Literal(1, DataTypes.IntegerType);
      return new If(
          new GreaterThan(size, one),
          divide(asDouble(subtract(rank, one)), asDouble(subtract(size, one))),
          new Literal(0.0, DataTypes.DoubleType));
    }
    if (function instanceof CumeDist) {
      return divide(
          asDouble(counter(WindowAbi.OP_ROW_NUMBER, Scope.PEERS)),
          asDouble(counter(WindowAbi.OP_ROW_NUMBER, Scope.PARTITION)));
    }
    if (function instanceof NTile tile) {
      if (!(tile.buckets() instanceof Literal buckets) || buckets.value() == null) {
        throw new UnsupportedException("ntile of what is not a constant");
      }
      return tile(((Number) buckets.value()).longValue());
    }
    return rank(function);
  }

  /** The first buckets have one row more each, as many as there are rows left over. */
  private Expression tile(long buckets) throws UnsupportedException {
    Expression number = asLong(counter(WindowAbi.OP_ROW_NUMBER, Scope.ROW));
    Expression size = asLong(counter(WindowAbi.OP_ROW_NUMBER, Scope.PARTITION));
    Expression count = literal(buckets);
    Expression small = new IntegralDivide(size, count, EvalMode.LEGACY());
    Expression larger = new Remainder(size, count, EvalMode.LEGACY());
    Expression large = add(small, literal(1));
    Expression inLarger = new Multiply(larger, large, EvalMode.LEGACY());
    Expression before = subtract(number, literal(1));
    Expression bucket =
        new If(
            new LessThanOrEqual(number, inLarger),
            add(new IntegralDivide(before, large, EvalMode.LEGACY()), literal(1)),
            add(
                add(
                    larger,
                    new IntegralDivide(subtract(before, inLarger), small, EvalMode.LEGACY())),
                literal(1)));
    return as(DataTypes.IntegerType, bucket);
  }

  /** A row number or rank over a scope. */
  Attribute counter(int op, Scope scope) throws UnsupportedException {
    return column(op, null, DataTypes.IntegerType, scope, false);
  }

  /**
   * The column of a figure.
   *
   * @param op one of {@link WindowAbi}'s
   * @param input null if none is read
   * @throws UnsupportedException if there is no native one
   */
  Attribute column(int op, Expression input, DataType type, Scope scope, boolean ignoreNulls)
      throws UnsupportedException {
    int inputType = input == null ? 0 : nativeType(input.dataType());
    Function function =
        new Function(
            op, inputType, nativeType(type), input == null ? -1 : input(input), scope, ignoreNulls);
    return figures.of(function, type, input != null && op != WindowAbi.OP_COUNT);
  }

  /** The number of what functions read, once for all who read the same. */
  int input(Expression input) {
    for (int i = 0; i < inputs.size(); i++) {
      if (inputs.get(i).semanticEquals(input)) {
        return i;
      }
    }
    inputs.add(input);
    return inputs.size() - 1;
  }

  /** A column that a window makes. */
  static Attribute attribute(String name, DataType type, boolean nullable) {
    return new AttributeReference(
        name,
        type,
        nullable,
        Metadata.empty(),
        NamedExpression.newExprId(),
        JavaConverters.asScalaBuffer(List.<String>of()).toList());
  }

  /**
   * The kernels' type for one of Spark's.
   *
   * @throws UnsupportedException if there is none
   */
  static int nativeType(DataType type) throws UnsupportedException {
    return NativeTypes.of(type)
        .orElseThrow(() -> new UnsupportedException("type " + type.simpleString()));
  }
}
