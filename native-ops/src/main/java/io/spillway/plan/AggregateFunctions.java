package io.spillway.plan;

import io.spillway.expression.Functions.Entry;
import io.spillway.expression.NativeTypes;
import io.spillway.expression.UnsupportedException;
import io.spillway.kernel.Abi;
import io.spillway.operator.AggregateSpec.Function;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.NumericType;
import scala.collection.Seq;

/** Spark's aggregate functions as the kernels' ones. Stateless. */
final class AggregateFunctions {
  /** Numbers the columns that the functions read. */
  interface Inputs {
    /** The number of the column that an aggregate's child is computed into. */
    int raw(Expression child);

    /** The number of the next buffer column, in the order of the functions. */
    int buffer();
  }

  private AggregateFunctions() {}

  /** What runs natively, for the documentation. */
  static List<Entry> entries() {
    String group = "Aggregate functions";
    return List.of(
        new Entry(group, "count(*), count(a)", "of one expression"),
        new Entry(group, "sum", "of whole numbers and decimals not in ANSI mode"),
        new Entry(group, "avg", "of decimals not in ANSI mode"),
        new Entry(group, "min, bool_and, every", ""),
        new Entry(group, "max, bool_or, some, any", ""),
        new Entry(
            group, "count(distinct a), sum(distinct a), ...", "where all functions are distinct"));
  }

  /**
   * @param merge whether the inputs are buffer columns
   * @param results whether results come out, else buffers
   */
  static Function compile(AggregateFunction function, boolean merge, boolean results, Inputs inputs)
      throws UnsupportedException {
    if (function instanceof Count count) {
      return count(count, merge, inputs);
    }
    if (function instanceof Sum sum) {
      return sum(sum, merge, results, inputs);
    }
    if (function instanceof Average average) {
      return average(average, merge, results, inputs);
    }
    if (function instanceof Min min) {
      return extreme(Abi.AGG_MIN, min.child(), merge, inputs);
    }
    if (function instanceof Max max) {
      return extreme(Abi.AGG_MAX, max.child(), merge, inputs);
    }
    throw new UnsupportedException("aggregate function " + function.prettyName());
  }

  private static Function count(Count count, boolean merge, Inputs inputs)
      throws UnsupportedException {
    if (merge) {
      return plain(Abi.AGG_COUNT, Abi.T_I64, inputs.buffer(), Abi.T_I64);
    }
    Seq<Expression> children = count.children();
    if (children.size() != 1) {
      throw new UnsupportedException("count of " + children.size() + " expressions");
    }
    Expression child = children.head();
    // What is never null counts every row, as in Spark's own update expression.
    return child.nullable()
        ? plain(Abi.AGG_COUNT, nativeType(child.dataType()), inputs.raw(child), Abi.T_I64)
        : plain(Abi.AGG_COUNT, Abi.T_I64, -1, Abi.T_I64);
  }

  private static Function sum(Sum sum, boolean merge, boolean results, Inputs inputs)
      throws UnsupportedException {
    DataType type = sum.dataType();
    DataType childType = sum.child().dataType();
    boolean legacy = sum.evalMode().equals(EvalMode.LEGACY());
    if (!(childType instanceof NumericType)) {
      throw new UnsupportedException("sum of " + childType.simpleString());
    }
    if (type instanceof DoubleType) {
      return plain(
          Abi.AGG_SUM_F64,
          merge ? Abi.T_F64 : nativeType(childType),
          input(sum.child(), merge, inputs),
          Abi.T_F64);
    }
    if (!legacy) {
      throw new UnsupportedException("ANSI mode: sum may overflow");
    }
    if (type instanceof DecimalType decimal) {
      int sumType = nativeType(decimal);
      return new Function(
          Abi.AGG_SUM_DEC,
          merge ? sumType : nativeType(childType),
          input(sum.child(), merge, inputs),
          merge ? inputs.buffer() : -1,
          decimal.precision(),
          0,
          0,
          0,
          sumType,
          results ? 0 : Abi.T_BOOL);
    }
    return plain(
        Abi.AGG_SUM_I64,
        merge ? Abi.T_I64 : nativeType(childType),
        input(sum.child(), merge, inputs),
        Abi.T_I64);
  }

  private static Function average(Average average, boolean merge, boolean results, Inputs inputs)
      throws UnsupportedException {
    DataType childType = average.child().dataType();
    boolean floating =
        childType instanceof FloatType
            || childType instanceof DoubleType
            || childType instanceof IntegralType;
    if (floating) {
      return new Function(
          Abi.AGG_AVG_F64,
          merge ? Abi.T_F64 : nativeType(childType),
          input(average.child(), merge, inputs),
          merge ? inputs.buffer() : -1,
          0,
          0,
          0,
          0,
          Abi.T_F64,
          results ? 0 : Abi.T_I64);
    }
    if (!(childType instanceof DecimalType)) {
      throw new UnsupportedException("average of " + childType.simpleString());
    }
    if (average.evalMode().equals(EvalMode.ANSI())) {
      throw new UnsupportedException("ANSI mode: average may overflow");
    }
    DecimalType sumType = (DecimalType) average.sumDataType();
    DecimalType type = (DecimalType) average.dataType();
    return new Function(
        Abi.AGG_AVG_DEC,
        merge ? nativeType(sumType) : nativeType(childType),
        input(average.child(), merge, inputs),
        merge ? inputs.buffer() : -1,
        sumType.precision(),
        type.precision(),
        type.scale() - sumType.scale(),
        type.scale(),
        results ? nativeType(type) : nativeType(sumType),
        results ? 0 : Abi.T_I64);
  }

  private static Function extreme(int op, Expression child, boolean merge, Inputs inputs)
      throws UnsupportedException {
    int type = nativeType(child.dataType());
    return plain(op, type, input(child, merge, inputs), type);
  }

  private static Function plain(int op, int type, int input, int outType) {
    return new Function(op, type, input, -1, 0, 0, 0, 0, outType, 0);
  }

  private static int input(Expression child, boolean merge, Inputs inputs) {
    return merge ? inputs.buffer() : inputs.raw(child);
  }

  static int nativeType(DataType type) throws UnsupportedException {
    return NativeTypes.of(type).stream()
        .boxed()
        .findFirst()
        .orElseThrow(() -> new UnsupportedException("type " + type.simpleString()));
  }
}
