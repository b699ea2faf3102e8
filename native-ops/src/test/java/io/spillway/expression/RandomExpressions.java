package io.spillway.expression;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.CaseWhen;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.Contains;
import org.apache.spark.sql.catalyst.expressions.Divide;
import org.apache.spark.sql.catalyst.expressions.EndsWith;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Greatest;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.InSet;
import org.apache.spark.sql.catalyst.expressions.IsNaN;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Least;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.MakeDecimal;
import org.apache.spark.sql.catalyst.expressions.Multiply;
import org.apache.spark.sql.catalyst.expressions.NaNvl;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.StartsWith;
import org.apache.spark.sql.catalyst.expressions.Subtract;
import org.apache.spark.sql.catalyst.expressions.UnaryMinus;
import org.apache.spark.sql.catalyst.expressions.UnscaledValue;
import org.apache.spark.sql.catalyst.expressions.Year;
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import scala.Option;
import scala.Tuple2;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/** Random expressions of a wanted type over given columns. */
final class RandomExpressions {
  static final List<DataType> WHOLE =
      List.of(DataTypes.ByteType, DataTypes.ShortType, DataTypes.IntegerType, DataTypes.LongType);
  static final List<DataType> NUMBERS =
      List.of(
          DataTypes.ByteType,
          DataTypes.ShortType,
          DataTypes.IntegerType,
          DataTypes.LongType,
          DataTypes.FloatType,
          DataTypes.DoubleType);
  static final List<DecimalType> DECIMALS =
      List.of(
          new DecimalType(5, 2),
          new DecimalType(12, 2),
          new DecimalType(18, 0),
          new DecimalType(20, 4),
          new DecimalType(38, 10),
          new DecimalType(38, 0));

  private final List<Attribute> columns;
  private final Random random;

  RandomExpressions(List<Attribute> columns, Random random) {
    this.columns = columns;
    this.random = random;
  }

  /** One of all the types that programs handle. */
  DataType type() {
    List<DataType> types = new ArrayList<>(NUMBERS);
    types.addAll(DECIMALS);
    types.addAll(
        List.of(
            DataTypes.BooleanType,
            DataTypes.StringType,
            DataTypes.DateType,
            DataTypes.TimestampType));
    return pick(types);
  }

  Expression any(int depth) {
    return random.nextInt(3) == 0 ? decimal(depth) : of(type(), depth);
  }

  Expression of(DataType type, int depth) {
    if (depth == 0) {
      return leaf(type);
    }
    if (random.nextInt(5) == 0) {
      return choice(type, depth - 1);
    }
    if (type.equals(DataTypes.BooleanType)) {
      return bool(depth - 1);
    }
    if (random.nextInt(2) == 0) {
      Expression function = new RandomFunctions(this, random).of(type, depth - 1);
      if (function != null) {
        return function;
      }
    }
    if (NUMBERS.contains(type)) {
      return number(type, depth - 1);
    }
    if (type instanceof DecimalType decimal && random.nextBoolean()) {
      return cast(of(pick(WHOLE), depth - 1), decimal);
    }
    return leaf(type);
  }

  /** A decimal expression of whatever type comes out of it. */
  Expression decimal(int depth) {
    if (depth == 0) {
      return leaf(pick(DECIMALS));
    }
    Expression left = decimal(depth - 1);
    return switch (random.nextInt(10)) {
      case 0 -> new Add(left, decimal(depth - 1), EvalMode.LEGACY());
      case 1 -> new Subtract(left, decimal(depth - 1), EvalMode.LEGACY());
      case 2 -> new Multiply(left, decimal(depth - 1), EvalMode.LEGACY());
      case 6 -> new Divide(left, decimal(depth - 1), EvalMode.LEGACY());
      case 7, 8 -> new RandomFunctions(this, random).roundedDecimal(left);
      case 9 -> cast(of(pick(NUMBERS), depth - 1), pick(DECIMALS));
      case 3 -> new UnaryMinus(left, false);
      case 4 -> new MakeDecimal(of(DataTypes.LongType, depth - 1), 12, 2, true);
      default -> cast(left, pick(DECIMALS));
    };
  }

  Expression leaf(DataType type) {
    List<Attribute> suitable =
        columns.stream().filter(column -> column.dataType().equals(type)).toList();
    return suitable.isEmpty() || random.nextInt(4) == 0
        ? literal(type)
        : (Expression) pick(suitable);
  }

  Literal literal(DataType type) {
    return new Literal(RandomValues.nullable(type, random), type);
  }

  private Expression choice(DataType type, int depth) {
    Expression first = of(type, depth);
    Expression second = of(type, depth);
    Expression condition = of(DataTypes.BooleanType, depth);
    return switch (random.nextInt(6)) {
      case 0 -> new If(condition, first, second);
      case 3 -> new Greatest(seq(List.of(first, second, leaf(type))));
      case 4 -> new Least(seq(List.of(first, second)));
      case 5 ->
          type.equals(DataTypes.DoubleType) || type.equals(DataTypes.FloatType)
              ? new NaNvl(first, second)
              : new If(condition, first, second);
      case 1 -> new Coalesce(seq(List.of(first, second)));
      default ->
          new CaseWhen(
              seq(
                  List.of(
                      new Tuple2<>(condition, first),
                      new Tuple2<>(of(DataTypes.BooleanType, depth), second))),
              random.nextBoolean() ? Option.apply(leaf(type)) : Option.empty());
    };
  }

  private Expression bool(int depth) {
    return switch (random.nextInt(8)) {
      case 0 -> new And(of(DataTypes.BooleanType, depth), of(DataTypes.BooleanType, depth));
      case 1 -> new Or(of(DataTypes.BooleanType, depth), of(DataTypes.BooleanType, depth));
      case 2 -> new Not(of(DataTypes.BooleanType, depth));
      case 3 -> random.nextBoolean() ? new IsNull(any(depth)) : new IsNotNull(any(depth));
      case 4 -> membership(depth);
      case 5 -> text(depth);
      case 6 ->
          random.nextBoolean()
              ? new IsNaN(of(DataTypes.DoubleType, depth))
              : cast(of(pick(NUMBERS), depth), DataTypes.BooleanType);
      default -> comparison(depth);
    };
  }

  private Expression comparison(int depth) {
    DataType type = type();
    Expression left = of(type, depth);
    Expression right = of(type, depth);
    return switch (random.nextInt(6)) {
      case 0 -> new EqualTo(left, right);
      case 1 -> new EqualNullSafe(left, right);
      case 2 -> new LessThan(left, right);
      case 3 -> new LessThanOrEqual(left, right);
      case 4 -> new GreaterThan(left, right);
      default -> new GreaterThanOrEqual(left, right);
    };
  }

  private Expression membership(int depth) {
    DataType type = type();
    List<Expression> list = new ArrayList<>();
    HashSet<Object> set = new HashSet<>();
    for (int i = random.nextInt(5); i >= 0; i--) {
      Literal literal = literal(type);
      list.add(literal);
      set.add(literal.value());
    }
    boolean real = type.equals(DataTypes.FloatType) || type.equals(DataTypes.DoubleType);
    return real || random.nextBoolean()
        ? new In(of(type, depth), seq(list))
        : new InSet(of(type, depth), JavaConverters.asScalaSet(set).toSet());
  }

  private Expression text(int depth) {
    Expression left = of(DataTypes.StringType, depth);
    Expression right = of(DataTypes.StringType, depth);
    return switch (random.nextInt(5)) {
      case 0 -> new StartsWith(left, right);
      case 3, 4 -> new RandomFunctions(this, random).like(left);
      case 1 -> new EndsWith(left, right);
      default -> new Contains(left, right);
    };
  }

  private Expression number(DataType type, int depth) {
    boolean real = type.equals(DataTypes.FloatType) || type.equals(DataTypes.DoubleType);
    if (type.equals(DataTypes.IntegerType) && random.nextInt(6) == 0) {
      return new Year(of(DataTypes.DateType, depth));
    }
    if (type.equals(DataTypes.LongType) && random.nextInt(6) == 0) {
      return new UnscaledValue(of(new DecimalType(12, 2), depth));
    }
    if (type.equals(DataTypes.DoubleType) && random.nextInt(6) == 0) {
      return cast(of(new DecimalType(12, 2), depth), type);
    }
    Expression left = of(type, depth);
    return switch (random.nextInt(6)) {
      case 0 -> new Add(left, of(type, depth), EvalMode.LEGACY());
      case 1 -> new Subtract(left, of(type, depth), EvalMode.LEGACY());
      case 2 -> new Multiply(left, of(type, depth), EvalMode.LEGACY());
      case 3 -> new UnaryMinus(left, false);
      case 4 -> cast(of(pick(NUMBERS), depth), type);
      default ->
          type.equals(DataTypes.DoubleType) && random.nextBoolean()
              ? new Divide(left, of(type, depth), EvalMode.LEGACY())
              : real ? new NormalizeNaNAndZero(left) : cast(left, type);
    };
  }

  static Expression cast(Expression child, DataType type) {
    return new Cast(child, type, Option.apply("UTC"), EvalMode.LEGACY());
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  static <T> Seq<T> seq(List<T> list) {
    return JavaConverters.asScalaBuffer(list).toList();
  }

  /** So that values of a set are compared as Spark's are: by value, whatever their class. */
  static Object comparable(Object value) {
    return value instanceof Decimal decimal ? decimal.toJavaBigDecimal() : value;
  }
}
