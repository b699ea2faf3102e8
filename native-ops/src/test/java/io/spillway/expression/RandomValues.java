package io.spillway.expression;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.unsafe.types.UTF8String;

/** Catalyst values of a type, with many of those at which code goes wrong. */
final class RandomValues {
  private static final double[] DOUBLES = {
    Double.NaN,
    0.0,
    -0.0,
    1.0,
    -1.5,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    Double.MAX_VALUE,
    2147483648.0,
    -9.3e18,
    1e300
  };
  private static final long[] LONGS = {
    0,
    1,
    -1,
    Long.MIN_VALUE,
    Long.MAX_VALUE,
    Integer.MIN_VALUE,
    Integer.MAX_VALUE,
    Short.MIN_VALUE,
    Byte.MAX_VALUE,
    1L << 53
  };
  private static final String[] STRINGS = {
    "",
    "a",
    "ab",
    "abc",
    "b",
    "abcdefghijkl",
    "abcdefghijklm",
    "abcdefghijklmnopqrstuvwxyz",
    "äöü€",
    " ",
    "  x ",
    "a%b_",
    "ΑΣ ß İi",
    "12",
    "-7",
    "+5",
    " 42 ",
    "1e3",
    "0.5",
    "99999999999",
    "-9223372036854775808",
    "2024-02-29",
    "2023-02-29",
    "1999-1-3",
    "2001-12-31 10:20:30",
    "true",
    "no",
    "NaN",
    "\uD83D\uDE00",
    "ab\nAB",
    "XyZ xyz"
  };

  private RandomValues() {}

  /** Null one time in eight. */
  static Object nullable(DataType type, Random random) {
    return random.nextInt(8) == 0 ? null : of(type, random);
  }

  static Object of(DataType type, Random random) {
    if (type instanceof BooleanType) {
      return random.nextBoolean();
    }
    if (type instanceof FloatType) {
      return (float) real(random);
    }
    if (type instanceof DoubleType) {
      return real(random);
    }
    if (type instanceof StringType) {
      return UTF8String.fromString(text(random));
    }
    if (type instanceof DecimalType decimal) {
      return decimal(decimal, random);
    }
    if (type instanceof DateType && random.nextInt(3) > 0) {
      // Where the calendar has something to show.
      return random.nextInt(800_000) - 400_000;
    }
    if (type instanceof TimestampType && random.nextInt(3) > 0) {
      return (random.nextLong() % 400_000) * 86_400_000_000L + random.nextInt(2_000_000_000) * 40L;
    }
    long whole = whole(random);
    if (type instanceof ByteType) {
      return (byte) whole;
    }
    if (type instanceof ShortType) {
      return (short) whole;
    }
    if (type instanceof IntegerType || type instanceof DateType) {
      return (int) whole;
    }
    return whole;
  }

  private static double real(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> DOUBLES[random.nextInt(DOUBLES.length)];
      case 1 -> random.nextInt(10);
      default -> random.nextGaussian() * 1000;
    };
  }

  private static long whole(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> LONGS[random.nextInt(LONGS.length)];
      case 1 -> random.nextInt(10) - 5;
      default -> random.nextLong();
    };
  }

  private static String text(Random random) {
    if (random.nextInt(6) == 0) {
      return Long.toString(whole(random));
    }
    String text = STRINGS[random.nextInt(STRINGS.length)];
    return random.nextBoolean() ? text : text + STRINGS[random.nextInt(STRINGS.length)];
  }

  private static Decimal decimal(DecimalType type, Random random) {
    BigInteger edge = BigInteger.TEN.pow(type.precision()).subtract(BigInteger.ONE);
    BigInteger unscaled =
        switch (random.nextInt(4)) {
          case 0 -> edge;
          case 1 -> BigInteger.valueOf(random.nextInt(20) - 10).min(edge);
          case 2 -> new BigInteger(20, random).min(edge);
          default -> new BigInteger(edge.bitLength(), random).min(edge);
        };
    BigDecimal value =
        new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), type.scale());
    return Decimal.apply(value, type.precision(), type.scale());
  }
}
