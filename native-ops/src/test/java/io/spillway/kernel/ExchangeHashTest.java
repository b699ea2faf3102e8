package io.spillway.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import scala.collection.JavaConverters;

/** The kernel puts every row into the partition that Spark's own expression says. */
class ExchangeHashTest {
  private static final DataType[] TYPES = {
    DataTypes.BooleanType,
    DataTypes.ByteType,
    DataTypes.ShortType,
    DataTypes.IntegerType,
    DataTypes.LongType,
    DataTypes.FloatType,
    DataTypes.DoubleType,
    DataTypes.DateType,
    DataTypes.TimestampType,
    DataTypes.TimestampNTZType,
    DataTypes.createDecimalType(9, 2),
    DataTypes.createDecimalType(18, 0),
    DataTypes.createDecimalType(38, 10),
    DataTypes.StringType,
    DataTypes.BinaryType
  };
  private static final int[] KERNEL_TYPES = {
    Abi.T_BOOL,
    Abi.T_I8,
    Abi.T_I16,
    Abi.T_I32,
    Abi.T_I64,
    Abi.T_F32,
    Abi.T_F64,
    Abi.T_I32,
    Abi.T_I64,
    Abi.T_I64,
    Abi.T_I64,
    Abi.T_I64,
    Abi.T_I128,
    Abi.T_STR,
    Abi.T_STR
  };
  private static final int ROWS = 400;

  static LongStream seeds() {
    return new Random().longs(12);
  }

  /**
   * A value in both forms.
   *
   * @param kernel as {@link OffHeap#put} takes it
   * @param catalyst as Spark's expressions do
   */
  private record Value(Object kernel, Object catalyst) {
    private static Value same(Object value) {
      return new Value(value, value);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void shouldAgreeWithSparkWhenKeysAreOfAnyTypes(long seed) {
    Random random = new Random(seed);
    int partitions = 1 + random.nextInt(random.nextBoolean() ? 10 : 5000);
    int keys = 1 + random.nextInt(4);
    int[] types = random.ints(keys, 0, TYPES.length).toArray();
    checkAgainstSpark(random, partitions, types);
  }

  @Test
  void shouldAgreeWithSparkWhenThereIsOneKeyOfEachType() {
    for (int type = 0; type < TYPES.length; type++) {
      checkAgainstSpark(new Random(type), 1000, type);
    }
  }

  private static void checkAgainstSpark(Random random, int partitions, int... types) {
    Value[][] values = new Value[types.length][ROWS];
    try (OffHeap memory = new OffHeap()) {
      long columns = memory.allocate((long) types.length * Abi.COLUMN_SIZE);
      for (int c = 0; c < types.length; c++) {
        long column = OffHeap.column(columns, c);
        memory.initColumn(column, KERNEL_TYPES[types[c]], Abi.KIND_VECTOR, ROWS);
        for (int row = 0; row < ROWS; row++) {
          values[c][row] = value(TYPES[types[c]], random);
          memory.put(column, row, values[c][row].kernel());
        }
      }
      long out = memory.allocate(4L * ROWS);
      assertThat(ExchangeKernels.hash(columns, types.length, ROWS, partitions, out))
          .isEqualTo(ROWS);
      for (int row = 0; row < ROWS; row++) {
        List<Expression> literals = new ArrayList<>();
        for (int c = 0; c < types.length; c++) {
          literals.add(new Literal(values[c][row].catalyst(), TYPES[types[c]]));
        }
        Object expected =
            new HashPartitioning(JavaConverters.asScalaBuffer(literals).toList(), partitions)
                .partitionIdExpression()
                .eval(null);
        assertThat(Platform.getInt(null, out + 4L * row))
            .as("partition of %s of %d", literals, partitions)
            .isEqualTo(expected);
      }
    }
  }

  private static Value value(DataType type, Random random) {
    if (random.nextInt(8) == 0) {
      return Value.same(null);
    }
    long number = random.nextLong() >> random.nextInt(64);
    if (type instanceof DecimalType decimal) {
      int digits = 1 + random.nextInt(decimal.precision());
      BigInteger unscaled =
          new BigInteger(128, random).mod(BigInteger.TEN.pow(digits)).subtract(BigInteger.ONE);
      BigInteger signed = random.nextBoolean() ? unscaled.negate() : unscaled;
      Decimal value =
          Decimal.apply(
              new BigDecimal(signed, decimal.scale()), decimal.precision(), decimal.scale());
      return new Value(decimal.precision() <= 18 ? (Object) signed.longValue() : signed, value);
    }
    String name = type.typeName();
    return switch (name) {
      case "boolean" -> Value.same(random.nextBoolean());
      case "byte" -> Value.same((byte) number);
      case "short" -> Value.same((short) number);
      case "integer", "date" -> Value.same((int) number);
      case "float" -> Value.same((float) special(random, number));
      case "double" -> Value.same(special(random, number));
      case "string", "binary" -> {
        byte[] bytes = new byte[random.nextInt(40)];
        random.nextBytes(bytes);
        yield new Value(bytes, name.equals("binary") ? bytes : UTF8String.fromBytes(bytes));
      }
      default -> Value.same(number);
    };
  }

  private static double special(Random random, long number) {
    return switch (random.nextInt(6)) {
      case 0 -> -0.0;
      case 1 -> Double.longBitsToDouble(0xfff8000000000123L);
      case 2 -> Double.NEGATIVE_INFINITY;
      case 3 -> random.nextGaussian() * 1e-310;
      default -> number / 16.0;
    };
  }
}
