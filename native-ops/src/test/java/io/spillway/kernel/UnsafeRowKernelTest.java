package io.spillway.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

/** The kernels' UnsafeRows are Spark's, byte for byte, and Spark's are read as what they hold. */
class UnsafeRowKernelTest {
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
    DataTypes.StringType,
    DataTypes.BinaryType,
    DataTypes.createDecimalType(9, 2),
    DataTypes.createDecimalType(18, 0),
    DataTypes.createDecimalType(38, 10),
  };
  private static final int[] ABI_TYPES = {
    Abi.T_BOOL,
    Abi.T_I8,
    Abi.T_I16,
    Abi.T_I32,
    Abi.T_I64,
    Abi.T_F32,
    Abi.T_F64,
    Abi.T_I32,
    Abi.T_I64,
    Abi.T_STR,
    Abi.T_STR,
    Abi.T_I64,
    Abi.T_I64,
    Abi.T_I128,
  };

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  /** A value as the kernels hold it. */
  private Object kernelValue(int column) {
    return switch (ABI_TYPES[column]) {
      case Abi.T_BOOL -> random.nextBoolean();
      case Abi.T_I8 -> (byte) random.nextInt();
      case Abi.T_I16 -> (short) random.nextInt();
      case Abi.T_I32 -> random.nextInt();
      case Abi.T_I64 -> smallOrAny(column);
      case Abi.T_F32 -> random.nextInt(4) == 0 ? -0.0f : random.nextFloat();
      case Abi.T_F64 -> random.nextInt(4) == 0 ? Double.NaN : random.nextGaussian();
      case Abi.T_I128 -> wide();
      default -> text();
    };
  }

  private Long smallOrAny(int column) {
    if (TYPES[column] == DataTypes.LongType || TYPES[column] == DataTypes.TimestampType) {
      return random.nextInt(4) == 0 ? Long.MIN_VALUE : random.nextLong();
    }
    return random.nextLong() % 1_000_000_000L;
  }

  private BigInteger wide() {
    BigInteger value = new BigInteger(random.nextInt(126), random);
    return random.nextBoolean() ? value : value.negate();
  }

  private byte[] text() {
    byte[] bytes = new byte[random.nextInt(40)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) ('a' + random.nextInt(26));
    }
    return bytes;
  }

  /** The same value as Spark holds it. */
  private static Object sparkValue(int column, Object value) {
    if (value == null) {
      return null;
    }
    DataType type = TYPES[column];
    if (type == DataTypes.StringType) {
      return UTF8String.fromBytes((byte[]) value);
    }
    if (type instanceof org.apache.spark.sql.types.DecimalType decimal) {
      BigInteger unscaled =
          value instanceof BigInteger big ? big : BigInteger.valueOf((Long) value);
      return Decimal.apply(
          new BigDecimal(unscaled, decimal.scale()), decimal.precision(), decimal.scale());
    }
    return value;
  }

  private Object[][] randomRows(int rows, int nullOneIn) {
    Object[][] values = new Object[rows][TYPES.length];
    for (Object[] row : values) {
      for (int c = 0; c < TYPES.length; c++) {
        row[c] = random.nextInt(nullOneIn) == 0 ? null : kernelValue(c);
      }
    }
    return values;
  }

  private static List<byte[]> sparkRows(Object[][] values) {
    UnsafeProjection projection = UnsafeProjection.create(TYPES);
    List<byte[]> rows = new ArrayList<>();
    for (Object[] row : values) {
      Object[] spark = new Object[row.length];
      for (int c = 0; c < row.length; c++) {
        spark[c] = sparkValue(c, row[c]);
      }
      rows.add(projection.apply(new GenericInternalRow(spark)).copy().getBytes());
    }
    return rows;
  }

  private static long columnsOf(OffHeap memory, int rows) {
    long columns = memory.allocate((long) TYPES.length * Abi.COLUMN_SIZE);
    for (int c = 0; c < TYPES.length; c++) {
      memory.initColumn(OffHeap.column(columns, c), ABI_TYPES[c], Abi.KIND_VECTOR, rows);
    }
    return columns;
  }

  private static long batch(OffHeap memory, long columns, int rows, long data, long capacity) {
    long block = memory.allocate(Abi.ROW_BATCH_SIZE);
    Platform.putLong(null, block + Abi.ROW_BATCH_COLUMNS, columns);
    Platform.putLong(null, block + Abi.ROW_BATCH_DATA, data);
    Platform.putLong(null, block + Abi.ROW_BATCH_OFFSETS, memory.allocate(4L * (rows + 1)));
    Platform.putLong(null, block + Abi.ROW_BATCH_CAPACITY, capacity);
    Platform.putInt(null, block + Abi.ROW_BATCH_NCOLUMNS, TYPES.length);
    Platform.putInt(null, block + Abi.ROW_BATCH_ROWS, rows);
    return block;
  }

  @Test
  void shouldWriteWhatSparkWritesByteForByteWhenTheBufferHoldsAFewRowsAtATime() {
    int rows = 200;
    Object[][] values = randomRows(rows, 4);
    List<byte[]> expected = sparkRows(values);
    try (OffHeap memory = new OffHeap()) {
      long columns = columnsOf(memory, rows);
      for (int r = 0; r < rows; r++) {
        for (int c = 0; c < TYPES.length; c++) {
          memory.put(OffHeap.column(columns, c), r, values[r][c]);
        }
      }
      int capacity = 1024;
      long block = batch(memory, columns, rows, memory.allocate(capacity), capacity);
      int calls = 0;
      for (int start = 0; start < rows; calls++) {
        int written = (int) Kernels.columnsToRows(block, start);
        assertThat(written).as("seed %s", seed).isPositive();
        long data = Platform.getLong(null, block + Abi.ROW_BATCH_DATA);
        long offsets = Platform.getLong(null, block + Abi.ROW_BATCH_OFFSETS);
        for (int i = 0; i < written; i++) {
          int from = Platform.getInt(null, offsets + 4L * i);
          byte[] bytes = new byte[Platform.getInt(null, offsets + 4L * (i + 1)) - from];
          Platform.copyMemory(null, data + from, bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
          assertThat(bytes)
              .as("seed %s row %s", seed, start + i)
              .isEqualTo(expected.get(start + i));
        }
        start += written;
      }
      assertThat(calls).isGreaterThan(10);
      assertThat(Kernels.columnsToRows(block, rows)).isZero();
    }
  }

  @Test
  void shouldSayHowManyBytesOneRowNeedsWhenNotEvenOneFits() {
    Object[][] values = randomRows(1, 4);
    int needed = sparkRows(values).get(0).length;
    try (OffHeap memory = new OffHeap()) {
      long columns = columnsOf(memory, 1);
      for (int c = 0; c < TYPES.length; c++) {
        memory.put(OffHeap.column(columns, c), 0, values[0][c]);
      }
      long block = batch(memory, columns, 1, memory.allocate(needed), needed - 8);
      assertThat(Kernels.columnsToRows(block, 0)).isEqualTo(Abi.NEEDS_BYTES);
      assertThat(Platform.getLong(null, block + Abi.ROW_BATCH_NEED)).isEqualTo(needed);
      Platform.putLong(null, block + Abi.ROW_BATCH_CAPACITY, needed);
      assertThat(Kernels.columnsToRows(block, 0)).isEqualTo(1);
    }
  }

  @Test
  void shouldSayThatARowIsTooLongWhenNoBufferCanHoldIt() {
    try (OffHeap memory = new OffHeap()) {
      long column = memory.allocate(Abi.COLUMN_SIZE);
      memory.initColumn(column, Abi.T_STR, Abi.KIND_VECTOR, 1);
      long block = batch(memory, column, 1, memory.allocate(64), 64);
      Platform.putInt(null, block + Abi.ROW_BATCH_NCOLUMNS, 1);
      long length = Platform.getLong(null, column + Abi.COLUMN_VALUES) + Abi.STR_LENGTH;
      // Null bits and the field's word come first, and the bytes are padded to words.
      int most = Integer.MAX_VALUE / 8 * 8 - 16;

      Platform.putInt(null, length, most);
      assertThat(Kernels.columnsToRows(block, 0)).isEqualTo(Abi.NEEDS_BYTES);
      assertThat(Platform.getLong(null, block + Abi.ROW_BATCH_NEED)).isEqualTo(most + 16L);

      Platform.putInt(null, length, most + 1);
      assertThatThrownBy(() -> Kernels.columnsToRows(block, 0))
          .isInstanceOf(KernelException.class)
          .hasMessageContaining("takes more than 2147483647 bytes")
          .extracting(e -> ((KernelException) e).code())
          .isEqualTo(Abi.TOO_LONG);
    }
  }

  @Test
  void shouldReadWhatSparkWrote() {
    int rows = 200;
    Object[][] values = randomRows(rows, 4);
    List<byte[]> spark = sparkRows(values);
    int bytes = spark.stream().mapToInt(b -> b.length).sum();
    try (OffHeap memory = new OffHeap()) {
      long columns = columnsOf(memory, rows);
      long data = memory.allocate(bytes);
      long block = batch(memory, columns, rows, data, bytes);
      long offsets = Platform.getLong(null, block + Abi.ROW_BATCH_OFFSETS);
      int end = 0;
      for (int r = 0; r < rows; r++) {
        byte[] row = spark.get(r);
        Platform.copyMemory(row, Platform.BYTE_ARRAY_OFFSET, null, data + end, row.length);
        end += row.length;
        Platform.putInt(null, offsets + 4L * (r + 1), end);
      }
      assertThat(Kernels.rowsToColumns(block)).isEqualTo(rows);
      for (int c = 0; c < TYPES.length; c++) {
        for (int r = 0; r < rows; r++) {
          Object expected =
              values[r][c] instanceof byte[] text
                  ? new String(text, java.nio.charset.StandardCharsets.UTF_8)
                  : values[r][c];
          assertThat(OffHeap.get(OffHeap.column(columns, c), r))
              .as("seed %s row %s column %s", seed, r, TYPES[c])
              .isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void shouldRefuseARowWhoseStringPointsOutsideIt() {
    UnsafeRow row =
        UnsafeProjection.create(new DataType[] {DataTypes.StringType})
            .apply(new GenericInternalRow(new Object[] {UTF8String.fromString("a longer string")}));
    byte[] bytes = row.getBytes();
    Platform.putLong(bytes, Platform.BYTE_ARRAY_OFFSET + 8, 16L << 32 | 17);
    try (OffHeap memory = new OffHeap()) {
      long column = memory.allocate(Abi.COLUMN_SIZE);
      memory.initColumn(column, Abi.T_STR, Abi.KIND_VECTOR, 1);
      long block = batch(memory, column, 1, memory.putBytes(bytes), bytes.length);
      Platform.putInt(null, block + Abi.ROW_BATCH_NCOLUMNS, 1);
      long offsets = Platform.getLong(null, block + Abi.ROW_BATCH_OFFSETS);
      Platform.putInt(null, offsets + 4, bytes.length);
      assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> Kernels.rowsToColumns(block)))
          .isInstanceOf(KernelException.class)
          .hasMessageContaining("a row's offsets point outside the row");
    }
  }
}
