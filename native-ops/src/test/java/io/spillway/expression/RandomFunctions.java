package io.spillway.expression;

import java.util.List;
import java.util.Random;
import org.apache.spark.sql.catalyst.expressions.Abs;
import org.apache.spark.sql.catalyst.expressions.AddMonths;
import org.apache.spark.sql.catalyst.expressions.BRound;
import org.apache.spark.sql.catalyst.expressions.BitLength;
import org.apache.spark.sql.catalyst.expressions.BitwiseAnd;
import org.apache.spark.sql.catalyst.expressions.BitwiseNot;
import org.apache.spark.sql.catalyst.expressions.BitwiseOr;
import org.apache.spark.sql.catalyst.expressions.BitwiseXor;
import org.apache.spark.sql.catalyst.expressions.Ceil;
import org.apache.spark.sql.catalyst.expressions.Concat;
import org.apache.spark.sql.catalyst.expressions.ConcatWs;
import org.apache.spark.sql.catalyst.expressions.DateAdd;
import org.apache.spark.sql.catalyst.expressions.DateAddYMInterval;
import org.apache.spark.sql.catalyst.expressions.DateDiff;
import org.apache.spark.sql.catalyst.expressions.DateFormatClass;
import org.apache.spark.sql.catalyst.expressions.DateFromUnixDate;
import org.apache.spark.sql.catalyst.expressions.DateSub;
import org.apache.spark.sql.catalyst.expressions.DayOfMonth;
import org.apache.spark.sql.catalyst.expressions.DayOfWeek;
import org.apache.spark.sql.catalyst.expressions.DayOfYear;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Floor;
import org.apache.spark.sql.catalyst.expressions.Hour;
import org.apache.spark.sql.catalyst.expressions.InitCap;
import org.apache.spark.sql.catalyst.expressions.IntegralDivide;
import org.apache.spark.sql.catalyst.expressions.LastDay;
import org.apache.spark.sql.catalyst.expressions.Length;
import org.apache.spark.sql.catalyst.expressions.Like;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Literal$;
import org.apache.spark.sql.catalyst.expressions.Lower;
import org.apache.spark.sql.catalyst.expressions.MicrosToTimestamp;
import org.apache.spark.sql.catalyst.expressions.Minute;
import org.apache.spark.sql.catalyst.expressions.Month;
import org.apache.spark.sql.catalyst.expressions.Murmur3Hash;
import org.apache.spark.sql.catalyst.expressions.OctetLength;
import org.apache.spark.sql.catalyst.expressions.Pmod;
import org.apache.spark.sql.catalyst.expressions.Quarter;
import org.apache.spark.sql.catalyst.expressions.Remainder;
import org.apache.spark.sql.catalyst.expressions.Reverse;
import org.apache.spark.sql.catalyst.expressions.Round;
import org.apache.spark.sql.catalyst.expressions.RoundCeil;
import org.apache.spark.sql.catalyst.expressions.RoundFloor;
import org.apache.spark.sql.catalyst.expressions.Second;
import org.apache.spark.sql.catalyst.expressions.ShiftLeft;
import org.apache.spark.sql.catalyst.expressions.ShiftRight;
import org.apache.spark.sql.catalyst.expressions.ShiftRightUnsigned;
import org.apache.spark.sql.catalyst.expressions.Signum;
import org.apache.spark.sql.catalyst.expressions.Sqrt;
import org.apache.spark.sql.catalyst.expressions.StringInstr;
import org.apache.spark.sql.catalyst.expressions.StringLPad;
import org.apache.spark.sql.catalyst.expressions.StringLocate;
import org.apache.spark.sql.catalyst.expressions.StringRPad;
import org.apache.spark.sql.catalyst.expressions.StringRepeat;
import org.apache.spark.sql.catalyst.expressions.StringReplace;
import org.apache.spark.sql.catalyst.expressions.StringTrim;
import org.apache.spark.sql.catalyst.expressions.StringTrimLeft;
import org.apache.spark.sql.catalyst.expressions.StringTrimRight;
import org.apache.spark.sql.catalyst.expressions.Substring;
import org.apache.spark.sql.catalyst.expressions.SubstringIndex;
import org.apache.spark.sql.catalyst.expressions.TruncDate;
import org.apache.spark.sql.catalyst.expressions.TruncTimestamp;
import org.apache.spark.sql.catalyst.expressions.UnaryPositive;
import org.apache.spark.sql.catalyst.expressions.UnixDate;
import org.apache.spark.sql.catalyst.expressions.UnixMicros;
import org.apache.spark.sql.catalyst.expressions.UnixMillis;
import org.apache.spark.sql.catalyst.expressions.UnixSeconds;
import org.apache.spark.sql.catalyst.expressions.Upper;
import org.apache.spark.sql.catalyst.expressions.WeekDay;
import org.apache.spark.sql.catalyst.expressions.WeekOfYear;
import org.apache.spark.sql.catalyst.expressions.YearOfWeek;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.YearMonthIntervalType;
import scala.Option;

/** Random calls of Spark's functions, by the type that they give. */
final class RandomFunctions {
  private static final Option<String> ZONE = Option.apply("+05:30");

  private final RandomExpressions expressions;
  private final Random random;

  RandomFunctions(RandomExpressions expressions, Random random) {
    this.expressions = expressions;
    this.random = random;
  }

  /** Null if there is none of this type. */
  Expression of(DataType type, int depth) {
    if (type.equals(DataTypes.StringType)) {
      return text(depth);
    }
    if (type.equals(DataTypes.DateType)) {
      return date(depth);
    }
    if (type.equals(DataTypes.TimestampType)) {
      return timestamp(depth);
    }
    if (type.equals(DataTypes.IntegerType)) {
      return random.nextBoolean() ? whole(type, depth) : integers(depth);
    }
    if (RandomExpressions.WHOLE.contains(type)) {
      return random.nextInt(3) == 0 && type.equals(DataTypes.LongType)
          ? longs(depth)
          : whole(type, depth);
    }
    if (type.equals(DataTypes.FloatType) || type.equals(DataTypes.DoubleType)) {
      return real(type, depth);
    }
    return null;
  }

  Expression like(Expression text) {
    String[] patterns = {
      "a%", "%b", "%bc%d%", "a_c%", "%", "", "_", "%_", "__%", "%ö%", "%a\\%b\\_%", "%xy%z%", "%\n%"
    };
    return new Like(text, string(patterns[random.nextInt(patterns.length)]), '\\');
  }

  Expression roundedDecimal(Expression value) {
    Literal digits = integer(random.nextInt(9) - 3);
    return switch (random.nextInt(6)) {
      case 0 -> new BRound(value, digits, false);
      case 1 -> new RoundCeil(value, digits);
      case 2 -> new RoundFloor(value, digits);
      case 3 -> new Ceil(value);
      case 4 -> new Floor(value);
      default -> new Round(value, digits, false);
    };
  }

  private Expression text(int depth) {
    Expression a = string(depth);
    Expression b = string(depth);
    return switch (random.nextInt(22)) {
      case 0 -> new Upper(a);
      case 1 -> new Lower(a);
      case 2 -> new InitCap(a);
      case 3 -> new Concat(RandomExpressions.seq(List.of(a, b, string(depth))));
      case 4 -> new ConcatWs(RandomExpressions.seq(List.of(string(0), a, b, string(0))));
      case 5 -> new StringReplace(a, string(0), string(0));
      case 6 -> new StringRepeat(a, integer(random.nextInt(5) - 1));
      case 7 -> new StringLPad(a, integer(random.nextInt(40) - 3), string(0));
      case 8 -> new StringRPad(a, integer(random.nextInt(40) - 3), string(0));
      case 9 -> new Reverse(a);
      case 10 -> new StringTrim(a, trimmed());
      case 11 -> new StringTrimLeft(a, trimmed());
      case 12 -> new StringTrimRight(a, trimmed());
      case 13 -> new SubstringIndex(a, string(0), integer(random.nextInt(5) - 2));
      case 14, 15, 16 -> new Substring(a, expressions.of(DataTypes.IntegerType, 0), small());
      case 17 ->
          RandomExpressions.cast(
              expressions.of(pick(RandomExpressions.WHOLE), depth), DataTypes.StringType);
      case 18 ->
          random.nextBoolean()
              ? RandomExpressions.cast(date(depth), DataTypes.StringType)
              : new DateFormatClass(
                  RandomExpressions.cast(tame(date(depth)), DataTypes.TimestampType),
                  string("yyyy/MM"),
                  ZONE);
      case 19 -> RandomExpressions.cast(expressions.decimal(depth), DataTypes.StringType);
      case 20 ->
          RandomExpressions.cast(
              expressions.of(DataTypes.BooleanType, depth), DataTypes.StringType);
      default -> new Substring(a, small(), small());
    };
  }

  private Expression date(int depth) {
    Expression a = expressions.of(DataTypes.DateType, depth);
    String[] units = {"week", "MONTH", "mm", "year", "yy", "quarter", "day", "none"};
    return switch (random.nextInt(8)) {
      case 0 -> new DateAdd(a, small());
      case 1 -> new DateSub(a, small());
      case 2 -> new LastDay(a);
      case 3, 4 -> new TruncDate(tame(a), string(units[random.nextInt(units.length)]));
      case 5 ->
          random.nextBoolean()
              ? new AddMonths(tame(a), integer(random.nextInt(5000) - 2500))
              : new DateAddYMInterval(
                  tame(a), new Literal(random.nextInt(99) - 50, YearMonthIntervalType.apply()));
      case 6 ->
          RandomExpressions.cast(
              expressions.of(DataTypes.TimestampType, depth), DataTypes.DateType);
      default -> RandomExpressions.cast(string(depth), DataTypes.DateType);
    };
  }

  /** Within the calendar: Spark fails on what leaves it. */
  private static Expression tame(Expression date) {
    Expression days = new UnixDate(date);
    return new DateFromUnixDate(new Remainder(days, integer(3_000_000), EvalMode.LEGACY()));
  }

  private Expression timestamp(int depth) {
    String[] units = {"second", "HOUR", "day", "week", "quarter", "none"};
    return switch (random.nextInt(5)) {
      case 3 -> new MicrosToTimestamp(expressions.of(DataTypes.LongType, depth));
      case 4 ->
          new TruncTimestamp(
              string(units[random.nextInt(units.length)]),
              RandomExpressions.cast(tame(date(depth)), DataTypes.TimestampType),
              ZONE);
      case 0 -> RandomExpressions.cast(tame(date(depth)), DataTypes.TimestampType);
      case 1 ->
          RandomExpressions.cast(
              expressions.of(DataTypes.IntegerType, depth), DataTypes.TimestampType);
      default -> RandomExpressions.cast(string(depth), DataTypes.TimestampType);
    };
  }

  private Expression integers(int depth) {
    Expression date = expressions.of(DataTypes.DateType, depth);
    Expression text = string(depth);
    return switch (random.nextInt(20)) {
      case 0 -> new Month(date);
      case 1 -> new DayOfMonth(date);
      case 2 -> new Quarter(date);
      case 3 -> new DayOfWeek(date);
      case 4 -> new WeekDay(date);
      case 5 -> new DayOfYear(date);
      case 6 -> new WeekOfYear(date);
      case 7 -> new YearOfWeek(date);
      case 8 -> new DateDiff(date, expressions.of(DataTypes.DateType, depth));
      case 9 -> new Hour(expressions.of(DataTypes.TimestampType, depth), ZONE);
      case 10 -> new Minute(expressions.of(DataTypes.TimestampType, depth), ZONE);
      case 11 -> new Second(expressions.of(DataTypes.TimestampType, depth), ZONE);
      case 12 -> new Length(text);
      case 13 -> random.nextBoolean() ? new OctetLength(text) : new BitLength(text);
      case 14 -> new StringInstr(text, string(0));
      case 15, 16 -> new StringLocate(string(0), text, integer(random.nextInt(5) - 1));
      case 17 ->
          new Murmur3Hash(
              RandomExpressions.seq(List.of(expressions.any(depth), expressions.any(0), text)),
              random.nextInt());
      default -> RandomExpressions.cast(text, DataTypes.IntegerType);
    };
  }

  private Expression longs(int depth) {
    Expression timestamp = expressions.of(DataTypes.TimestampType, depth);
    Expression real = expressions.of(DataTypes.DoubleType, depth);
    return switch (random.nextInt(6)) {
      case 5 -> new UnixMicros(timestamp);
      case 0 -> new Ceil(real);
      case 1 -> new Floor(real);
      case 2 -> new UnixSeconds(timestamp);
      case 3 -> new UnixMillis(timestamp);
      default -> RandomExpressions.cast(timestamp, DataTypes.LongType);
    };
  }

  private Expression whole(DataType type, int depth) {
    Expression a = expressions.of(type, depth);
    Expression b = expressions.of(type, depth);
    boolean shiftable = type.equals(DataTypes.IntegerType) || type.equals(DataTypes.LongType);
    return switch (random.nextInt(14)) {
      case 0 -> new Remainder(a, b, EvalMode.LEGACY());
      case 1 -> new Pmod(a, b, EvalMode.LEGACY());
      case 2 -> new Abs(a, false);
      case 3 -> new BitwiseAnd(a, b);
      case 4 -> new BitwiseOr(a, b);
      case 5 -> new BitwiseXor(a, b);
      case 6 -> random.nextBoolean() ? new BitwiseNot(a) : new UnaryPositive(a);
      case 7 -> shiftable ? new ShiftLeft(a, expressions.of(DataTypes.IntegerType, 0)) : a;
      case 8 -> shiftable ? new ShiftRight(a, expressions.of(DataTypes.IntegerType, 0)) : a;
      case 9 -> shiftable ? new ShiftRightUnsigned(a, expressions.of(DataTypes.IntegerType, 0)) : a;
      case 10 -> new Round(a, integer(random.nextInt(6) - 4), false);
      case 11 -> RandomExpressions.cast(string(depth), type);
      case 12 -> RandomExpressions.cast(expressions.decimal(depth), type);
      default -> type.equals(DataTypes.LongType) ? new IntegralDivide(a, b, EvalMode.LEGACY()) : a;
    };
  }

  private Expression real(DataType type, int depth) {
    Expression a = expressions.of(type, depth);
    boolean wide = type.equals(DataTypes.DoubleType);
    return switch (random.nextInt(9)) {
      case 0 -> new Remainder(a, expressions.of(type, depth), EvalMode.LEGACY());
      case 1 -> new Pmod(a, expressions.of(type, depth), EvalMode.LEGACY());
      case 2 -> new Abs(a, false);
      case 3 -> new Round(a, integer(random.nextInt(6) - 2), false);
      case 4 -> wide ? new Sqrt(a) : a;
      case 5 -> wide ? new Signum(a) : a;
      case 6 -> RandomExpressions.cast(string(depth), type);
      case 7 -> RandomExpressions.cast(expressions.decimal(depth), type);
      default -> RandomExpressions.cast(expressions.of(DataTypes.TimestampType, depth), type);
    };
  }

  private Option<Expression> trimmed() {
    return random.nextBoolean() ? Option.empty() : Option.apply(string(0));
  }

  private Expression string(int depth) {
    return expressions.of(DataTypes.StringType, depth);
  }

  private Expression small() {
    return random.nextInt(6) == 0
        ? expressions.leaf(DataTypes.IntegerType)
        : integer(random.nextInt(12) - 4);
  }

  private static Literal integer(int value) {
    return Literal$.MODULE$.apply(value);
  }

  private static Literal string(String text) {
    return Literal$.MODULE$.apply(text);
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }
}
