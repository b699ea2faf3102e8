package io.spillway.expression;

import io.spillway.kernel.Abi;
import io.spillway.kernel.ExprAbi;
import java.math.BigInteger;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;

/**
 * Casts between numbers and booleans here, others by {@link TextCasts} and {@link TimeCasts}. Where
 * a cast can fail (ANSI and TRY modes) only those that keep every value are compiled.
 */
final class CastCompiler {
  /** Doubles hold every whole number of this many decimal digits exactly. */
  private static final int EXACT_DOUBLE_DIGITS = 15;

  /** Powers of ten up to this one are exact doubles. */
  private static final int EXACT_DOUBLE_POWER = 22;

  private final ProgramBuilder program;
  private final DecimalCompiler decimals;
  private final boolean ansi;

  CastCompiler(ProgramBuilder program, DecimalCompiler decimals, boolean ansi) {
    this.program = program;
    this.decimals = decimals;
    this.ansi = ansi;
  }

  static void addTo(Functions.Catalogue catalogue) {
    String group = "Casts";
    String lossless = "in ANSI mode and try_cast where every value is kept";
    catalogue.line(group, "between booleans, numbers and decimals", lossless);
    catalogue.line(
        group,
        "float, double to decimal; decimal to float",
        Functions.BY_SPARK + "; not in ANSI mode");
    catalogue.line(
        group,
        "string to whole numbers and date",
        "what is not plainly written " + Functions.BY_SPARK + "; not in ANSI mode");
    catalogue.line(
        group,
        "string to boolean, float, double, decimal, timestamp",
        Functions.BY_SPARK + "; not in ANSI mode");
    catalogue.line(group, "boolean, whole numbers, date, binary to string", "");
    catalogue.line(group, "decimal to string", "not in ANSI mode");
    catalogue.line(group, "float, double, timestamp to string", Functions.BY_SPARK);
    catalogue.line(group, "string to binary", "not in ANSI mode");
    catalogue.line(
        group, "between date and timestamp", Functions.FIXED_ZONE + "; not in ANSI mode");
    catalogue.line(
        group,
        "timestamp to boolean, whole numbers, double; byte, short, int to timestamp",
        "not in ANSI mode");
  }

  int compile(ExpressionCompiler c, Cast cast, int value) throws UnsupportedException {
    DataType from = cast.child().dataType();
    DataType to = cast.dataType();
    if (from.equals(to)) {
      return value;
    }
    boolean legacy = !ansi && cast.evalMode().equals(EvalMode.LEGACY());
    if (!legacy && !keepsEveryValue(from, to)) {
      throw new UnsupportedException("ANSI mode: " + describe(from, to) + " may fail");
    }
    if (isText(from) || isText(to)) {
      return new TextCasts(c).compile(cast, value);
    }
    if (TimeCasts.isTime(from) || TimeCasts.isTime(to)) {
      return new TimeCasts(c).compile(cast, value);
    }
    if (from instanceof DecimalType decimalType) {
      return fromDecimal(c, cast, value, decimalType);
    }
    if (!isPlain(from)) {
      throw unsupported(from, to);
    }
    if (to instanceof DecimalType decimalType) {
      if (from instanceof FloatType || from instanceof DoubleType) {
        return c.hosted(cast);
      }
      int digits = wholeDigits(from);
      if (digits == 0) {
        throw unsupported(from, to);
      }
      return decimals.fromLong(converted(value, Abi.T_I64), digits, decimalType);
    }
    if (to instanceof BooleanType) {
      // Also for NaN, which is not equal to zero and so true, as in Spark.
      return program.binary(Abi.OP_NE, Abi.T_BOOL, value, zero(program.typeOf(value)), 0);
    }
    if (!isPlain(to)) {
      throw unsupported(from, to);
    }
    return converted(value, NativeTypes.of(to).getAsInt());
  }

  /** As Java's cast would, or the value itself if it has the type already. */
  int converted(int value, int type) {
    return program.typeOf(value) == type ? value : program.unary(Abi.OP_CAST, type, value, type);
  }

  private int fromDecimal(ExpressionCompiler c, Cast cast, int value, DecimalType from)
      throws UnsupportedException {
    DataType to = cast.dataType();
    if (to instanceof DecimalType decimalType) {
      return decimals.cast(value, from, decimalType);
    }
    if (to instanceof BooleanType) {
      return program.binary(Abi.OP_NE, Abi.T_BOOL, value, zero(program.typeOf(value)), 0);
    }
    if (to instanceof DoubleType && from.scale() <= EXACT_DOUBLE_POWER) {
      int power = program.constant(Abi.T_F64, Math.pow(10, from.scale()));
      if (from.precision() <= EXACT_DOUBLE_DIGITS) {
        // Both operands are exact, so the one division rounds correctly, as BigDecimal's does.
        int unscaled = converted(value, Abi.T_F64);
        return from.scale() == 0
            ? unscaled
            : program.binary(Abi.OP_DIV, Abi.T_F64, unscaled, power, 0);
      }
      return program.binary(ExprAbi.OP_DEC_TO_F64, Abi.T_F64, value, power, c.host(cast));
    }
    if (to instanceof DoubleType || to instanceof FloatType) {
      return c.hosted(cast);
    }
    if (wholeDigits(to) == 0) {
      throw unsupported(from, to);
    }
    return converted(decimals.toLong(value, from), NativeTypes.of(to).getAsInt());
  }

  private int zero(int type) {
    return program.constant(type, boxedZero(type));
  }

  private static Object boxedZero(int type) {
    return switch (type) {
      case Abi.T_I8 -> (byte) 0;
      case Abi.T_I16 -> (short) 0;
      case Abi.T_I32 -> 0;
      case Abi.T_I64 -> 0L;
      case Abi.T_F32 -> 0f;
      case Abi.T_F64 -> 0d;
      case Abi.T_I128 -> BigInteger.ZERO;
      default -> throw new IllegalArgumentException("not a number's kernel type: " + type);
    };
  }

  /** Types whose values a kernel's cast reads and writes as Java's numbers. */
  private static boolean isPlain(DataType type) {
    return type instanceof BooleanType
        || wholeDigits(type) > 0
        || type instanceof FloatType
        || type instanceof DoubleType;
  }

  /** The most decimal digits of a whole number of this type; 0 if it is not one. */
  static int wholeDigits(DataType type) {
    if (type instanceof ByteType) {
      return 3;
    }
    if (type instanceof ShortType) {
      return 5;
    }
    if (type instanceof IntegerType) {
      return 10;
    }
    return type instanceof LongType ? 19 : 0;
  }

  /** Strings and binaries, which are one kernel type. */
  private static boolean isText(DataType type) {
    return type instanceof StringType || type instanceof BinaryType;
  }

  private static boolean keepsEveryValue(DataType from, DataType to) {
    int digits = wholeDigits(from);
    if (isText(to)) {
      // Decimals are written in another way than in legacy mode.
      return !(from instanceof DecimalType);
    }
    if (TimeCasts.isTime(from) || TimeCasts.isTime(to) || isText(from)) {
      return false;
    }
    if (from instanceof DecimalType decimal) {

      if (to instanceof DecimalType wider) {

        return wider.scale() >= decimal.scale()
            && wider.precision() - wider.scale() >= decimal.precision() - decimal.scale();
      }
      return to instanceof DoubleType;
    }
    if (to instanceof DecimalType decimal) {

      return digits > 0 && decimal.precision() - decimal.scale() >= digits;
    }
    if (to instanceof FloatType || to instanceof DoubleType) {
      return !(from instanceof DoubleType && to instanceof FloatType);
    }
    return from instanceof BooleanType
        || to instanceof BooleanType
        || (digits > 0 && digits <= wholeDigits(to));
  }

  static UnsupportedException unsupported(DataType from, DataType to) {
    return new UnsupportedException(describe(from, to));
  }

  private static String describe(DataType from, DataType to) {
    return "cast from " + from.simpleString() + " to " + to.simpleString();
  }
}
