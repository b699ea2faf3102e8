package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.kernel.Abi;
import io.spillway.kernel.RowsKernels;
import io.spillway.memory.ExecutorMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A stage runs again and its tasks' rows come in another order, after some of what the first run
 * wrote has been read.
 */
class InTurnRetryTest {
  private static final int ROWS = 12_000;
  private static final int PARTITIONS = 5;

  /** {@code SPW_HASH_VALUE}. */
  private static final long HASH_VALUE = 0xd6e8feb86659fd93L;

  /** How often a partition of the source was computed; each time its order is another. */
  private static final AtomicInteger COMPUTED = new AtomicInteger();

  @TempDir Path folder;

  /** Rows to be exchanged. */
  private enum Source {
    /** A third of the rows are equal, others differ in the sign of a zero alone. */
    MIXED("k int not null, d double, t string") {
      @Override
      Row row(int i) {
        if (i % 3 == 0) {
          return RowFactory.create(7, Double.NaN, "many rows are like this one");
        }
        Double d = i % 5 == 0 ? null : i % 5 == 1 ? -0.0 : i % 5 == 2 ? 0.0 : i / 7.0;
        return RowFactory.create(i % 300, d, i % 11 == 0 ? null : "text " + i % 1_000);
      }
    },
    /** All rows have the same hash: of each the second column undoes the first one. */
    ONE_HASH("d double not null, b long not null") {
      @Override
      Row row(int i) {
        double d = i % 4 == 0 ? -0.0 : i % 4 == 1 ? 0.0 : i / 7.0;
        return RowFactory.create(d, fold(Double.doubleToRawLongBits(d), HASH_VALUE) ^ 12345);
      }
    };

    private final String schema;

    Source(String schema) {
      this.schema = schema;
    }

    StructType schema() {
      return StructType.fromDDL(schema);
    }

    abstract Row row(int i);

    /** As {@code spw_fold}. */
    private static long fold(long a, long b) {
      long high = Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
      return (a * b) ^ high;
    }
  }

  @ParameterizedTest(name = "{0}, {1} off-heap")
  @CsvSource({"MIXED, 32m", "MIXED, 1m", "ONE_HASH, 32m", "ONE_HASH, 1m"})
  void shouldGiveEachRowOnceWhenTheOrderIsAnotherInTheSecondRun(Source source, String offHeap)
      throws IOException {
    assertThat(readInTwoParts(source, offHeap, "true"))
        .as("rows read before and after")
        .isEqualTo(expected(source));
  }

  /** What the sort is for, and that the source's order really is another each time. */
  @Test
  void shouldLoseRowsAndGiveOthersTwiceWhenTheSortIsTurnedOff() throws IOException {
    List<String> rows = readInTwoParts(Source.MIXED, "32m", "false");

    assertThat(rows).hasSize(ROWS).isNotEqualTo(expected(Source.MIXED));
  }

  @Test
  void shouldPutEachRowWhereItWasWhenThereIsLessMemory() {
    List<String> withMuch = partition("64m", 0);
    List<String> withLittle = partition("1m", 1);

    assertThat(withMuch).hasSizeBetween(ROWS / PARTITIONS - 3, ROWS / PARTITIONS + 3);
    assertThat(withLittle).isEqualTo(withMuch);
  }

  @Test
  void shouldHashAllRowsAlikeWhereATestSaysSo() {
    long memory = Platform.allocateMemory(2L * Abi.COLUMN_SIZE + 24L * 100);
    try {
      long values = memory + 2L * Abi.COLUMN_SIZE;
      for (int column = 0; column < 2; column++) {
        NativeVector.describe(
            memory + (long) column * Abi.COLUMN_SIZE,
            Abi.T_I64,
            Abi.KIND_VECTOR,
            values + 800L * column,
            0);
      }
      for (int i = 0; i < 100; i++) {
        Row row = Source.ONE_HASH.row(i);
        Platform.putLong(null, values + 8L * i, Double.doubleToRawLongBits(row.getDouble(0)));
        Platform.putLong(null, values + 800 + 8L * i, row.getLong(1));
      }
      RowsKernels.hash(memory, 2, 100, values + 1600, 0);
      assertThat(
              IntStream.range(0, 100)
                  .mapToObj(i -> Platform.getLong(null, values + 1600 + 8L * i))
                  .distinct())
          .hasSize(1);
    } finally {
      Platform.freeMemory(memory);
    }
  }

  /** The first partition of what is exchanged. */
  private static List<String> partition(String offHeap, long leastSpilledBytes) {
    try (TestSession session =
        TestSession.open(2, offHeap, Map.of("spark.sql.adaptive.enabled", "false"))) {
      List<String> rows = new ArrayList<>(read(exchanged(session, Source.MIXED), 0));
      assertThat(ExecutorMemory.installed().orElseThrow().snapshot().spilledBytes())
          .isGreaterThanOrEqualTo(leastSpilledBytes);
      Collections.sort(rows);
      return rows;
    }
  }

  /** Reads two partitions, spoils what was written, and reads the other three. */
  private List<String> readInTwoParts(Source source, String offHeap, String sorts)
      throws IOException {
    Map<String, String> settings =
        Map.of(
            "spark.local.dir",
            folder.toString(),
            "spark.sql.adaptive.enabled",
            "false",
            "spark.sql.execution.sortBeforeRepartition",
            sorts);
    try (TestSession session = TestSession.open(2, offHeap, settings)) {
      JavaRDD<String> exchanged = exchanged(session, source);
      COMPUTED.set(0);
      List<String> rows = new ArrayList<>(read(exchanged, 0, 1));
      int computed = COMPUTED.get();
      assertThat(computed).as("partitions of the source computed").isPositive();

      deleteShuffleFiles();
      rows.addAll(read(exchanged, 2, 3, 4));

      assertThat(COMPUTED.get()).as("computed again").isGreaterThan(computed);
      session.assertNothingLeft();
      Collections.sort(rows);
      return rows;
    }
  }

  /** What comes out of a native exchange in turn. */
  private static JavaRDD<String> exchanged(TestSession session, Source source) {
    shaky(session.spark(), source).createOrReplaceTempView("shaky");
    String columns = String.join(", ", source.schema().fieldNames());
    Dataset<Row> query =
        session
            .spark()
            .sql(
                "select %1$s, count(*) from (select /*+ repartition(%2$d) */ * from shaky) group by %1$s"
                    .formatted(columns, PARTITIONS));
    return InTurnExchangeTest.exchangeInTurn(query)
        .executeColumnar()
        .toJavaRDD()
        .mapPartitions(InTurnRetryTest::texts);
  }

  private static List<String> read(JavaRDD<String> rdd, int... partitions) {
    return Arrays.stream(rdd.collectPartitions(partitions)).flatMap(List::stream).toList();
  }

  private static Iterator<String> texts(Iterator<ColumnarBatch> batches) {
    List<String> texts = new ArrayList<>();
    while (batches.hasNext()) {
      ColumnarBatch batch = batches.next();
      for (int row = 0; row < batch.numRows(); row++) {
        Object[] values = new Object[batch.numCols()];
        for (int i = 0; i < values.length; i++) {
          values[i] = value(batch.column(i), row);
        }
        texts.add(Arrays.toString(values));
      }
    }
    return texts.iterator();
  }

  private static Object value(ColumnVector column, int row) {
    if (column.isNullAt(row)) {
      return null;
    }
    return switch (column.dataType().typeName()) {
      case "integer" -> column.getInt(row);
      case "long" -> column.getLong(row);
      case "double" -> column.getDouble(row);
      case "string" -> column.getUTF8String(row);
      default -> throw new AssertionError(column.dataType());
    };
  }

  private static List<String> expected(Source source) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      Row row = source.row(i);
      Object[] values = new Object[row.size()];
      for (int column = 0; column < values.length; column++) {
        values[column] = row.get(column);
      }
      rows.add(Arrays.toString(values));
    }
    Collections.sort(rows);
    return rows;
  }

  private static Dataset<Row> shaky(SparkSession spark, Source source) {
    List<Integer> numbers = IntStream.range(0, ROWS).boxed().toList();
    FlatMapFunction<Iterator<Integer>, Row> inAnotherOrder =
        input -> {
          List<Row> rows = new ArrayList<>();
          input.forEachRemaining(i -> rows.add(source.row(i)));
          Collections.shuffle(rows, new Random(COMPUTED.incrementAndGet()));
          return rows.iterator();
        };
    JavaRDD<Row> rows =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(numbers, 3)
            .mapPartitions(inAnotherOrder);
    return spark.createDataFrame(rows, source.schema());
  }

  private void deleteShuffleFiles() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files =
          all.filter(file -> file.getFileName().toString().matches("shuffle_.*\\.data")).toList();
    }
    assertThat(files).as("shuffle files").isNotEmpty();
    for (Path file : files) {
      Files.delete(file);
    }
  }
}
