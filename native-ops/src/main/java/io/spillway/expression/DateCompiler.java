package io.spillway.expression;

import io.spillway.kernel.Abi;
import io.spillway.kernel.ExprAbi;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.catalyst.expressions.AddMonths;
import org.apache.spark.sql.catalyst.expressions.DateAdd;
import org.apache.spark.sql.catalyst.expressions.DateAddYMInterval;
import org.apache.spark.sql.catalyst.expressions.DateDiff;
import org.apache.spark.sql.catalyst.expressions.DateFormatClass;
import org.apache.spark.sql.catalyst.expressions.DateFromUnixDate;
import org.apache.spark.sql.catalyst.expressions.DateSub;
import org.apache.spark.sql.catalyst.expressions.DayOfMonth;
import org.apache.spark.sql.catalyst.expressions.DayOfWeek;
import org.apache.spark.sql.catalyst.expressions.DayOfYear;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Hour;
import org.apache.spark.sql.catalyst.expressions.LastDay;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.MicrosToTimestamp;
import org.apache.spark.sql.catalyst.expressions.Minute;
import org.apache.spark.sql.catalyst.expressions.Month;
import org.apache.spark.sql.catalyst.expressions.Quarter;
import org.apache.spark.sql.catalyst.expressions.Second;
import org.apache.spark.sql.catalyst.expressions.TimeZoneAwareExpression;
import org.apache.spark.sql.catalyst.expressions.TruncDate;
import org.apache.spark.sql.catalyst.expressions.TruncTimestamp;
import org.apache.spark.sql.catalyst.expressions.UnixDate;
import org.apache.spark.sql.catalyst.expressions.UnixMicros;
import org.apache.spark.sql.catalyst.expressions.UnixMillis;
import org.apache.spark.sql.catalyst.expressions.UnixSeconds;
import org.apache.spark.sql.catalyst.expressions.WeekDay;
import org.apache.spark.sql.catalyst.expressions.WeekOfYear;
import org.apache.spark.sql.catalyst.expressions.Year;
import org.apache.spark.sql.catalyst.expressions.YearOfWeek;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.unsafe.types.UTF8String;

/** Functions of dates and timestamps. Those that depend on a time zone need one without rules. */
final class DateCompiler {
  private static final String GROUP = "Dates and timestamps";

  private DateCompiler() {}

  static void addTo(Functions.Catalogue catalogue) {
    catalogue.add(
        GROUP,
        "year",
        "",
        Year.class,
        (c, e) -> c.program().unary(Abi.OP_YEAR, Abi.T_I32, date(c, e), 0));
    part(catalogue, "month", Month.class, ExprAbi.PART_MONTH);
    part(catalogue, "day, dayofmonth", DayOfMonth.class, ExprAbi.PART_DAY);
    part(catalogue, "quarter", Quarter.class, ExprAbi.PART_QUARTER);
    part(catalogue, "dayofweek", DayOfWeek.class, ExprAbi.PART_DAY_OF_WEEK);
    part(catalogue, "weekday", WeekDay.class, ExprAbi.PART_WEEKDAY);
    part(catalogue, "dayofyear", DayOfYear.class, ExprAbi.PART_DAY_OF_YEAR);
    part(catalogue, "weekofyear", WeekOfYear.class, ExprAbi.PART_WEEK_OF_YEAR);
    part(catalogue, "extract(yearofweek)", YearOfWeek.class, ExprAbi.PART_YEAR_OF_WEEK);
    part(catalogue, "last_day", LastDay.class, ExprAbi.PART_LAST_DAY);
    catalogue.add(
        GROUP, "trunc", "a constant unit", TruncDate.class, (c, e) -> trunc(c, (TruncDate) e));
    catalogue.add(GROUP, "date_add", "", DateAdd.class, (c, e) -> days(c, e, Abi.OP_ADD));
    catalogue.add(GROUP, "date_sub", "", DateSub.class, (c, e) -> days(c, e, Abi.OP_SUB));
    catalogue.add(GROUP, "datediff", "", DateDiff.class, (c, e) -> days(c, e, Abi.OP_SUB));
    catalogue.add(GROUP, "add_months", "", AddMonths.class, DateCompiler::addMonths);
    catalogue.add(
        GROUP,
        "date + interval of months",
        "a constant interval",
        DateAddYMInterval.class,
        (c, e) -> addInterval(c, (DateAddYMInterval) e));
    catalogue.add(GROUP, "unix_date", "", UnixDate.class, Functions::onlyChild);
    catalogue.add(GROUP, "date_from_unix_date", "", DateFromUnixDate.class, Functions::onlyChild);
    catalogue.add(
        GROUP, "unix_seconds", "", UnixSeconds.class, (c, e) -> floorDivided(c, e, 1_000_000));
    catalogue.add(GROUP, "unix_millis", "", UnixMillis.class, (c, e) -> floorDivided(c, e, 1000));
    catalogue.add(GROUP, "unix_micros", "", UnixMicros.class, Functions::onlyChild);
    catalogue.add(GROUP, "timestamp_micros", "", MicrosToTimestamp.class, DateCompiler::fromMicros);
    catalogue.add(
        GROUP,
        "hour",
        Functions.FIXED_ZONE,
        Hour.class,
        (c, e) -> quotient(c, secondOfDay(c, e, (Hour) e), 3600));
    catalogue.add(
        GROUP,
        "minute",
        Functions.FIXED_ZONE,
        Minute.class,
        (c, e) -> remainder(c, quotient(c, secondOfDay(c, e, (Minute) e), 60)));
    catalogue.add(
        GROUP,
        "second",
        Functions.FIXED_ZONE,
        Second.class,
        (c, e) -> remainder(c, secondOfDay(c, e, (Second) e)));
    catalogue.add(
        GROUP,
        "date_trunc",
        "a constant unit; " + Functions.BY_SPARK,
        TruncTimestamp.class,
        ExpressionCompiler::hosted);
    catalogue.add(
        GROUP,
        "date_format",
        "a constant format; " + Functions.BY_SPARK,
        DateFormatClass.class,
        DateCompiler::dateFormat);
  }

  private static int dateFormat(ExpressionCompiler c, Expression e) throws UnsupportedException {
    requireNoLegacyFormats();
    return c.hosted(e);
  }

  /**
   * For expressions that Spark computes with a formatter. They make it where they first run, by the
   * policy of the session that they find there; a task of no SQL query ({@code df.rdd}) finds none,
   * where Spark's generated code has a formatter that the driver made.
   *
   * @throws UnsupportedException if the session's policy is not what is found without a session
   */
  static void requireNoLegacyFormats() throws UnsupportedException {
    String key = SQLConf.LEGACY_TIME_PARSER_POLICY().key();
    if (SQLConf.get().getConfString(key).equalsIgnoreCase("LEGACY")) {
      throw new UnsupportedException(key + " is LEGACY");
    }
  }

  private static void part(
      Functions.Catalogue catalogue, String sql, Class<? extends Expression> type, int part) {
    catalogue.add(
        GROUP,
        sql,
        "",
        type,
        (c, e) -> c.program().unary(ExprAbi.OP_DATE_PART, Abi.T_I32, date(c, e), part));
  }

  private static int date(ExpressionCompiler c, Expression e) throws UnsupportedException {
    DataType type = e.children().head().dataType();
    if (!(type instanceof DateType)) {
      throw new UnsupportedException(e.prettyName() + " of " + type.simpleString());
    }
    return c.compile(e.children().head());
  }

  private static int days(ExpressionCompiler c, Expression e, int op) throws UnsupportedException {
    List<Expression> operands = ExpressionCompiler.list(e.children());
    int left = c.compile(operands.get(0));
    int right = c.casts().converted(c.compile(operands.get(1)), Abi.T_I32);
    return c.program().binary(op, Abi.T_I32, left, right, 0);
  }

  private static int addMonths(ExpressionCompiler c, Expression e) throws UnsupportedException {
    List<Expression> operands = ExpressionCompiler.list(e.children());
    int date = c.compile(operands.get(0));
    int months = c.compile(operands.get(1));
    return c.program().binary(ExprAbi.OP_ADD_MONTHS, Abi.T_I32, date, months, c.host(e));
  }

  private static int addInterval(ExpressionCompiler c, DateAddYMInterval e)
      throws UnsupportedException {
    if (!(e.interval() instanceof Literal literal) || !(literal.value() instanceof Integer)) {
      throw new UnsupportedException("an interval that is not constant");
    }
    int date = c.compile(e.date());
    int months = c.program().constant(Abi.T_I32, literal.value());
    return c.program().binary(ExprAbi.OP_ADD_MONTHS, Abi.T_I32, date, months, c.host(e));
  }

  private static int trunc(ExpressionCompiler c, TruncDate e) throws UnsupportedException {
    if (!(e.format() instanceof Literal literal)
        || !(literal.value() instanceof UTF8String format)) {
      throw new UnsupportedException("trunc to a unit that is not constant");
    }
    int date = c.compile(e.date());
    int part =
        switch (format.toString().toUpperCase(Locale.ROOT)) {
          case "WEEK" -> ExprAbi.PART_WEEK_START;
          case "MON", "MONTH", "MM" -> ExprAbi.PART_MONTH_START;
          case "YEAR", "YYYY", "YY" -> ExprAbi.PART_YEAR_START;
          default -> 0;
        };
    if (part != 0) {
      return c.program().unary(ExprAbi.OP_DATE_PART, Abi.T_I32, date, part);
    }
    return format.toString().toUpperCase(Locale.ROOT).equals("QUARTER")
        ? c.program().unary(ExprAbi.OP_QUARTER_START, Abi.T_I32, date, c.host(e))
        : c.program().constant(Abi.T_I32, null);
  }

  private static int floorDivided(ExpressionCompiler c, Expression e, long divisor)
      throws UnsupportedException {
    int constant = c.program().constant(Abi.T_I64, divisor);
    return c.program()
        .binary(ExprAbi.OP_FLOOR_DIV, Abi.T_I64, Functions.onlyChild(c, e), constant, 0);
  }

  /** Of any whole number. */
  private static int fromMicros(ExpressionCompiler c, Expression e) throws UnsupportedException {
    return c.casts().converted(Functions.onlyChild(c, e), Abi.T_I64);
  }

  private static int secondOfDay(ExpressionCompiler c, Expression e, TimeZoneAwareExpression zoned)
      throws UnsupportedException {
    int offset = offsetSeconds(zoned, e.children().head().dataType());
    return c.program()
        .unary(ExprAbi.OP_SECOND_OF_DAY, Abi.T_I32, Functions.onlyChild(c, e), offset);
  }

  private static int quotient(ExpressionCompiler c, int value, int divisor) {
    return c.program()
        .binary(ExprAbi.OP_IDIV, Abi.T_I32, value, c.program().constant(Abi.T_I32, divisor), 0);
  }

  private static int remainder(ExpressionCompiler c, int value) {
    return c.program()
        .binary(ExprAbi.OP_REM, Abi.T_I32, value, c.program().constant(Abi.T_I32, 60), 0);
  }

  /**
   * Seconds east of UTC of an expression's time zone, for timestamps of this type.
   *
   * @throws UnsupportedException if the zone has rules, so that they depend on the timestamp
   */
  static int offsetSeconds(TimeZoneAwareExpression e, DataType type) throws UnsupportedException {
    if (type instanceof TimestampNTZType) {
      return 0;
    }
    ZoneId zone = e.zoneId();
    ZoneRules rules = zone.getRules();
    if (!rules.isFixedOffset()) {
      throw new UnsupportedException("time zone " + zone + ", whose offset changes");
    }
    return rules.getOffset(Instant.EPOCH).getTotalSeconds();
  }
}
