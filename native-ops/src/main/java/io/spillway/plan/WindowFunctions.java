package io.spillway.plan;

import io.spillway.expression.NativeTypes;
import io.spillway.expression.UnsupportedException;
import io.spillway.kernel.Abi;
import io.spillway.kernel.WindowAbi;
import io.spillway.operator.WindowSpec.Function;
import io.spillway.operator.WindowSpec.Scope;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.CumeDist;
import org.apache.spark.sql.catalyst.expressions.CurrentRow$;
import org.apache.spark.sql.catalyst.expressions.DenseRank;
import org.apache.spark.sql.catalyst.expressions.Divide;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
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
import org.apache.spark.sql.catalyst.expressions.RowFrame$;
import org.apache.spark.sql.catalyst.expressions.RowNumber;
import org.apache.spark.sql.catalyst.expressions.SpecifiedWindowFrame;
import org.apache.spark.sql.catalyst.expressions.Subtract;
import org.apache.spark.sql.catalyst.expressions.UnboundedFollowing$;
import org.apache.spark.sql.catalyst.expressions.UnboundedPreceding$;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.First;
import org.apache.spark.sql.catalyst.expressions.aggregate.Last;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.Metadata;
import scala.Option;
import scala.collection.JavaConverters;

/**
 * Takes window functions apart: into what kernels compute row by row, each a column, and an
 * expression over these columns that is Spark's value. Used while one node is compiled.
 */
final class WindowFunctions {
  /** A sum of more digits than this could overflow, which Spark sees at the end of a frame only. */
  private static final int SUM_DIGITS = 28;

  private final List<Function> functions = new ArrayList<>();
  private final List<Attribute> columns = new ArrayList<>();
  private final List<Expression> inputs = new ArrayList<>();

  /** What kernels compute. */
  List<Function> functions() {
    return functions;
  }

  /** The columns that it goes to, in the same order. */
  List<Attribute> columns() {
    return columns;
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
    if (function instanceof AggregateExpression aggregate) {
      if (aggregate.isDistinct() || aggregate.filter().isDefined()) {
        throw new UnsupportedException("a distinct or filtered window function");
      }
      return aggregate(aggregate.aggregateFunction(), scope(window));
    }
    // What Spark makes of the first value of a frame by rows that starts with the partition.
    if (function instanceof NthValue nth
        && nth.offset() instanceof Literal offset
        && Integer.valueOf(1).equals(offset.value())) {
      return alike(WindowAbi.OP_FIRST, nth.input(), scope(window), nth.ignoreNulls());
    }
    return ranking(function);
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
  private Expression tile(long buckets) {
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
    return new Cast(bucket, DataTypes.IntegerType, Option.empty(), EvalMode.LEGACY());
  }

  private static Scope scope(WindowExpression window) throws UnsupportedException {
    Expression specified = (Expression) window.windowSpec().frameSpecification();
    if (specified instanceof SpecifiedWindowFrame frame
        && frame.lower() == UnboundedPreceding$.MODULE$) {
      if (frame.upper() == UnboundedFollowing$.MODULE$) {
        return Scope.PARTITION;
      }
      if (frame.upper() == CurrentRow$.MODULE$) {
        return frame.frameType() == RowFrame$.MODULE$ ? Scope.ROW : Scope.PEERS;
      }
    }
    throw new UnsupportedException("window frame " + specified.sql());
  }

  private Expression aggregate(AggregateFunction function, Scope scope)
      throws UnsupportedException {
    if (function instanceof Count count) {
      if (count.children().size() != 1) {
        throw new UnsupportedException("count of " + count.children().size() + " expressions");
      }
      Expression child = count.children().head();
      return child.nullable()
          ? column(WindowAbi.OP_COUNT, child, DataTypes.LongType, scope, false)
          : constant(WindowAbi.OP_COUNT, DataTypes.LongType, scope);
    }
    if (function instanceof Sum sum) {
      return sum(sum, scope);
    }
    if (function instanceof Average average) {
      return average(average, scope);
    }
    if (function instanceof Min min) {
      return alike(WindowAbi.OP_MIN, min.child(), scope, false);
    }
    if (function instanceof Max max) {
      return alike(WindowAbi.OP_MAX, max.child(), scope, false);
    }
    if (function instanceof First first) {
      return alike(WindowAbi.OP_FIRST, first.child(), scope, first.ignoreNulls());
    }
    if (function instanceof Last last) {
      return alike(WindowAbi.OP_LAST, last.child(), scope, last.ignoreNulls());
    }
    throw new UnsupportedException("window function " + function.prettyName());
  }

  private Expression sum(Sum sum, Scope scope) throws UnsupportedException {
    DataType type = sum.child().dataType();
    if (!sum.evalMode().equals(EvalMode.LEGACY())) {
      throw new UnsupportedException("sum that may fail or answer null on overflow");
    }
    if (type instanceof DecimalType decimal) {
      if (decimal.precision() > SUM_DIGITS) {
        throw new UnsupportedException(
            "sum of decimals of more than " + SUM_DIGITS + " digits in a window");
      }
      return column(WindowAbi.OP_SUM_I128, sum.child(), sum.dataType(), scope, false);
    }
    if (type instanceof IntegralType) {
      return column(WindowAbi.OP_SUM_I64, sum.child(), DataTypes.LongType, scope, false);
    }
    if (sum.dataType().equals(DataTypes.DoubleType)) {
      return column(
          WindowAbi.OP_SUM_F64, asDouble(sum.child()), DataTypes.DoubleType, scope, false);
    }
    throw new UnsupportedException("sum of " + type.simpleString());
  }

  private Expression average(Average average, Scope scope) throws UnsupportedException {
    if (!average.dataType().equals(DataTypes.DoubleType)
        || average.child().dataType() instanceof DecimalType
        || !average.evalMode().equals(EvalMode.LEGACY())) {
      throw new UnsupportedException(
          "avg of " + average.child().dataType().simpleString() + " in a window");
    }
    Expression child = asDouble(average.child());
    Expression sum = column(WindowAbi.OP_SUM_F64, child, DataTypes.DoubleType, scope, false);
    Expression count = column(WindowAbi.OP_COUNT, child, DataTypes.LongType, scope, false);
    return divide(sum, asDouble(count));
  }

  private Expression alike(int op, Expression child, Scope scope, boolean ignoreNulls)
      throws UnsupportedException {
    if (nativeType(child.dataType()) == Abi.T_STR) {
      throw new UnsupportedException(
          "least, greatest, first or last " + child.dataType().simpleString() + " of a window");
    }
    return column(op, child, child.dataType(), scope, ignoreNulls);
  }

  private Attribute counter(int op, Scope scope) {
    return constant(op, DataTypes.IntegerType, scope);
  }

  private Attribute constant(int op, DataType type, Scope scope) {
    int outType = NativeTypes.of(type).orElseThrow();
    return add(new Function(op, 0, outType, -1, scope, false), type, false);
  }

  private Attribute column(
      int op, Expression input, DataType type, Scope scope, boolean ignoreNulls)
      throws UnsupportedException {
    int number = inputs.size();
    for (int i = 0; i < inputs.size(); i++) {
      number = inputs.get(i).semanticEquals(input) ? i : number;
    }
    if (number == inputs.size()) {
      inputs.add(input);
    }
    Function function =
        new Function(
            op, nativeType(input.dataType()), nativeType(type), number, scope, ignoreNulls);
    return add(function, type, op != WindowAbi.OP_COUNT);
  }

  /** The column of a function, one for all who ask for the same. */
  private Attribute add(Function function, DataType type, boolean nullable) {
    int known = functions.indexOf(function);
    if (known >= 0 && columns.get(known).dataType().equals(type)) {
      return columns.get(known);
    }
    functions.add(function);
    Attribute column =
        new AttributeReference(
            "w" + functions.size(),
            type,
            nullable,
            Metadata.empty(),
            NamedExpression.newExprId(),
            JavaConverters.asScalaBuffer(List.<String>of()).toList());
    columns.add(column);
    return column;
  }

  private static int nativeType(DataType type) throws UnsupportedException {
    return NativeTypes.of(type)
        .orElseThrow(() -> new UnsupportedException("type " + type.simpleString()));
  }

  private static Expression divide(Expression left, Expression right) {
    return new Divide(left, right, EvalMode.LEGACY());
  }

  private static Expression add(Expression left, Expression right) {
    return new Add(left, right, EvalMode.LEGACY());
  }

  private static Expression subtract(Expression left, Expression right) {
    return new Subtract(left, right, EvalMode.LEGACY());
  }

  private static Expression literal(long value) {
    return new Literal(value, DataTypes.LongType);
  }

  private static Expression asLong(Expression child) {
    return new Cast(child, DataTypes.LongType, Option.empty(), EvalMode.LEGACY());
  }

  private static Expression asDouble(Expression child) {
    return child.dataType().equals(DataTypes.DoubleType)
        ? child
        : new Cast(child, DataTypes.DoubleType, Option.empty(), EvalMode.LEGACY());
  }
}
