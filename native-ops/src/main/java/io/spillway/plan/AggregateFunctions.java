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
import org.apache.spark.sql.catalyst.expressions.aggregate.BitAndAgg;
import org.apache.spark.sql.catalyst.expressions.aggregate.BitOrAgg;
import org.apache.spark.sql.catalyst.expressions.aggregate.BitXorAgg;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.First;
import org.apache.spark.sql.catalyst.expressions.aggregate.Last;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.StddevPop;
import org.apache.spark.sql.catalyst.expressions.aggregate.StddevSamp;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.catalyst.expressions.aggregate.VariancePop;
import org.apache.spark.sql.catalyst.expressions.aggregate.VarianceSamp;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.NumericType;
import scala.collection.Seq;

/** Spark's aggregate functions as the kernels' ones. */
final class AggregateFunctions {
  /** The sum of values of so many digits has room for 10^10 of them. */
  private static final int SURE_DIGITS = 28;

  /** Numbers the columns that the functions read. */
  interface Inputs {
    /** The number of the column that an aggregate's child is computed into. */
    int raw(Expression child);

    /** Whether all rows are one group. */
    boolean keyless();

    /** The number of the next buffer column, in the order of the functions. */
    int buffer();
  }

  private final boolean merge;
  private final boolean results;
  private final Inputs inputs;

  private AggregateFunctions(boolean merge, boolean results, Inputs inputs) {
    this.merge = merge;
    this.results = results;
    this.inputs = inputs;
  }

  /** What runs natively, for the documentation. */
  static List<Entry> entries() {
    String group = "Aggregate functions";
    return List.of(
        new Entry(group, "count(*), count(a)", "of one expression"),
        new Entry(group, "sum", "of whole numbers and decimals not in ANSI mode"),
        new Entry(
            group, "avg", "of decimals not in ANSI mode; of more than 28 digits only by keys"),
        new Entry(group, "min, bool_and, every", ""),
        new Entry(group, "max, bool_or, some, any", ""),
        new Entry(group, "first, last, any_value", ""),
        new Entry(group, "var_pop, var_samp, stddev_pop, stddev_samp", ""),
        new Entry(group, "bit_and, bit_or, bit_xor", ""),
        new Entry(group, "f(distinct a)", "as f"),
        new Entry(group, "f(a) filter (where b)", "as f; not first and last that count nulls"));
  }

  /**
   * @param merge whether the inputs are buffer columns
   * @param results whether results come out, else buffers
   */
  static Function compile(AggregateFunction function, boolean merge, boolean results, Inputs inputs)
      throws UnsupportedException {
    return new AggregateFunctions(merge, results, inputs).compile(function);
  }

  private Function compile(AggregateFunction function) throws UnsupportedException {
    if (function instanceof Count count) {
      return count(count);
    }
    if (function instanceof Sum sum) {
      return sum(sum);
    }
    if (function instanceof Average average) {
      return average(average);
    }
    if (function instanceof Min min) {
      return alike(Abi.AGG_MIN, min.child());
    }
    if (function instanceof Max max) {
      return alike(Abi.AGG_MAX, max.child());
    }
    if (function instanceof First first) {
      return end(Abi.AGG_FIRST, first.child(), first.ignoreNulls());
    }
    if (function instanceof Last last) {
      return end(Abi.AGG_LAST, last.child(), last.ignoreNulls());
    }
    if (function instanceof BitAndAgg and) {
      return alike(Abi.AGG_BITS_AND, and.child());
    }
    if (function instanceof BitOrAgg or) {
      return alike(Abi.AGG_BITS_OR, or.child());
    }
    if (function instanceof BitXorAgg xor) {
      return alike(Abi.AGG_BITS_XOR, xor.child());
    }
    if (function instanceof VariancePop variance) {
      return moments(variance.child(), 0, variance.nullOnDivideByZero());
    }
    if (function instanceof VarianceSamp variance) {
      return moments(variance.child(), 1, variance.nullOnDivideByZero());
    }
    if (function instanceof StddevPop deviation) {
      return moments(deviation.child(), 2, deviation.nullOnDivideByZero());
    }
    if (function instanceof StddevSamp deviation) {
      return moments(deviation.child(), 3, deviation.nullOnDivideByZero());
    }
    throw new UnsupportedException("aggregate function " + function.prettyName());
  }

  private Function count(Count count) throws UnsupportedException {
    if (merge) {
      return of(Abi.AGG_COUNT, Abi.T_I64, inputs.buffer(), Abi.T_I64);
    }
    Seq<Expression> children = count.children();
    if (children.size() != 1) {
      throw new UnsupportedException("count of " + children.size() + " expressions");
    }
    Expression child = children.head();
    // What is never null counts every row, as in Spark's own update expression.
    return child.nullable()
        ? of(Abi.AGG_COUNT, nativeType(child.dataType()), inputs.raw(child), Abi.T_I64)
        : of(Abi.AGG_COUNT, Abi.T_I64, -1, Abi.T_I64);
  }

  private Function sum(Sum sum) throws UnsupportedException {
    DataType type = sum.dataType();
    DataType childType = sum.child().dataType();
    boolean legacy = sum.evalMode().equals(EvalMode.LEGACY());
    if (!(childType instanceof NumericType)) {
      throw new UnsupportedException("sum of " + childType.simpleString());
    }
    if (type instanceof DoubleType) {
      return of(
          Abi.AGG_SUM_F64,
          merge ? Abi.T_F64 : nativeType(childType),
          input(sum.child()),
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
          input(sum.child()),
          buffer(),
          -1,
          merge,
          decimal.precision(),
          0,
          0,
          // Without keys Spark adds in a variable, which holds more than its rows do.
          inputs.keyless() ? 1 : 0,
          sumType,
          results ? 0 : Abi.T_BOOL,
          0);
    }
    return of(
        Abi.AGG_SUM_I64, merge ? Abi.T_I64 : nativeType(childType), input(sum.child()), Abi.T_I64);
  }

  private Function average(Average average) throws UnsupportedException {
    DataType childType = average.child().dataType();
    boolean floating =
        childType instanceof FloatType
            || childType instanceof DoubleType
            || childType instanceof IntegralType;
    if (floating) {
      return new Function(
          Abi.AGG_AVG_F64,
          merge ? Abi.T_F64 : nativeType(childType),
          input(average.child()),
          buffer(),
          -1,
          merge,
          0,
          0,
          0,
          0,
          Abi.T_F64,
          results ? 0 : Abi.T_I64,
          0);
    }
    if (!(childType instanceof DecimalType decimal)) {
      throw new UnsupportedException("average of " + childType.simpleString());
    }
    if (average.evalMode().equals(EvalMode.ANSI())) {
      throw new UnsupportedException("ANSI mode: average may overflow");
    }
    if (inputs.keyless() && decimal.precision() > SURE_DIGITS) {
      throw new UnsupportedException(
          "average of "
              + childType.simpleString()
              + " without keys, whose sum may pass what a decimal holds");
    }
    DecimalType sumType = (DecimalType) average.sumDataType();
    DecimalType type = (DecimalType) average.dataType();
    return new Function(
        Abi.AGG_AVG_DEC,
        merge ? nativeType(sumType) : nativeType(childType),
        input(average.child()),
        buffer(),
        -1,
        merge,
        sumType.precision(),
        type.precision(),
        type.scale() - sumType.scale(),
        0,
        results ? nativeType(type) : nativeType(sumType),
        results ? 0 : Abi.T_I64,
        0);
  }

  private Function end(int op, Expression child, boolean ignoreNulls) throws UnsupportedException {
    int type = nativeType(child.dataType());
    return new Function(
        op,
        type,
        input(child),
        buffer(),
        -1,
        merge,
        ignoreNulls ? 1 : 0,
        0,
        0,
        0,
        type,
        results ? 0 : Abi.T_BOOL,
        0);
  }

  /**
   * @param kind as {@code SPW_MOMENTS} says
   */
  private Function moments(Expression child, int kind, boolean nullOnDivideByZero) {
    return new Function(
        Abi.AGG_MOMENTS,
        Abi.T_F64,
        input(child),
        buffer(),
        buffer(),
        merge,
        kind,
        0,
        0,
        nullOnDivideByZero ? 1 : 0,
        Abi.T_F64,
        results ? 0 : Abi.T_F64,
        results ? 0 : Abi.T_F64);
  }

  /** A function whose input, buffer and result have one type. */
  private Function alike(int op, Expression child) throws UnsupportedException {
    int type = nativeType(child.dataType());
    return of(op, type, input(child), type);
  }

  private Function of(int op, int type, int input, int outType) {
    return new Function(op, type, input, -1, -1, merge, 0, 0, 0, 0, outType, 0, 0);
  }

  private int input(Expression child) {
    return merge ? inputs.buffer() : inputs.raw(child);
  }

  private int buffer() {
    return merge ? inputs.buffer() : -1;
  }

  static int nativeType(DataType type) throws UnsupportedException {
    return NativeTypes.of(type).stream()
        .boxed()
        .findFirst()
        .orElseThrow(() -> new UnsupportedException("type " + type.simpleString()));
  }
}
