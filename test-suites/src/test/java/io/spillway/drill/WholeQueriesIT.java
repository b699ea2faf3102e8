package io.spillway.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.memory.ExecutorMemory;
import io.spillway.memory.MemorySnapshot;
import io.spillway.plan.Explain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All queries of TPC-H, the transactions query and the dashboard query, in much and in too little
 * memory: their results are plain Spark's, which had normal memory, and nothing is left. In every
 * build each two of the choices meet once; profile {@code soak} runs them all.
 */
class WholeQueriesIT {
  private static final String SCALE = System.getProperty("spillway.queries.scale", "0.1");
  private static final QueryCatalogue CATALOGUE =
      new QueryCatalogue(Path.of(System.getProperty("user.dir"), "target"), SCALE);

  @TempDir private static Path directory;
  private static final Map<String, ResultFile> ANSWERS = new LinkedHashMap<>();

  private SparkSession spark;

  /**
   * Where the queries run.
   *
   * @param offHeap Spark's off-heap memory
   * @param adaptive whether adaptive execution is on
   * @param slots tasks at once
   */
  record Setting(String offHeap, boolean adaptive, int slots) {
    @Override
    public String toString() {
      return offHeap + (adaptive ? ", adaptive, " : ", not adaptive, ") + slots + " at once";
    }
  }

  @BeforeAll
  static void answerWithPlainSpark() throws IOException {
    try (SparkSession plain = session("plain", true, 2).getOrCreate()) {
      CATALOGUE.make(plain, directory);
      for (Map.Entry<String, Function<SparkSession, Dataset<Row>>> query :
          CATALOGUE.queries().entrySet()) {
        ANSWERS.put(query.getKey(), run(plain, query.getKey(), query.getValue()));
      }
    }
  }

  @AfterEach
  void stop() {
    spark.stop();
  }

  static Stream<Setting> pairs() {
    return Stream.of(
        new Setting("1g", true, 1),
        new Setting("1g", false, 4),
        new Setting("64m", true, 4),
        new Setting("64m", false, 1),
        new Setting("16m", true, 1),
        new Setting("16m", false, 4));
  }

  static Stream<Setting> rest() {
    List<Setting> all = new ArrayList<>();
    for (String offHeap : List.of("1g", "64m", "16m")) {
      for (boolean adaptive : List.of(true, false)) {
        all.add(new Setting(offHeap, adaptive, 1));
        all.add(new Setting(offHeap, adaptive, 4));
      }
    }
    all.removeAll(pairs().toList());
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void shouldAnswerAsPlainSparkWhenEachTwoChoicesMeet(Setting setting) throws IOException {
    assertSameAnswers(setting);
  }

  @Tag("soak")
  @ParameterizedTest
  @MethodSource("rest")
  void shouldAnswerAsPlainSparkInAllOtherSettings(Setting setting) throws IOException {
    assertSameAnswers(setting);
  }

  private void assertSameAnswers(Setting setting) throws IOException {
    spark =
        session("starved", setting.adaptive(), setting.slots())
            .config("spark.plugins", "io.spillway.SpillwayPlugin")
            .config("spark.memory.offHeap.enabled", true)
            .config("spark.memory.offHeap.size", setting.offHeap())
            .getOrCreate();
    List<String> wrong = new ArrayList<>();
    for (Map.Entry<String, Function<SparkSession, Dataset<Row>>> query :
        CATALOGUE.queries().entrySet()) {
      String name = query.getKey();
      try {
        ResultFile result = run(spark, name, query.getValue());
        ResultComparison.difference(ANSWERS.get(name), result, false)
            .ifPresent(difference -> wrong.add(name + ": " + difference));
      } catch (Exception e) {
        // Spark throws checked exceptions that its Java signatures do not declare.
        wrong.add(name + " failed: " + e);
      }
      spark.catalog().clearCache();
      MemorySnapshot left = ExecutorMemory.installed().orElseThrow().snapshot();
      if (left.usedBytes() != 0 || left.blocks() != 0) {
        wrong.add(name + " left " + left);
      }
      long charged = SparkEnv.get().memoryManager().executionMemoryUsed();
      if (charged != 0) {
        wrong.add(name + " left " + charged + " bytes charged in Spark");
      }
    }
    assertThat(wrong).as(setting.toString()).isEmpty();
  }

  private static SparkSession.Builder session(String name, boolean adaptive, int slots) {
    return SparkSession.builder()
        .master("local[" + slots + "]")
        .appName(name)
        .config("spark.ui.enabled", false)
        .config("spark.local.dir", directory.toString())
        .config("spark.sql.warehouse.dir", directory.resolve("warehouse").toString())
        .config("spark.sql.shuffle.partitions", 4)
        .config("spark.sql.adaptive.enabled", adaptive)
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.datetime.java8API.enabled", true);
  }

  private static ResultFile run(
      SparkSession session, String name, Function<SparkSession, Dataset<Row>> query)
      throws IOException {
    CATALOGUE.register(session);
    long started = System.nanoTime();
    Dataset<Row> frame = query.apply(session);
    Path file = directory.resolve(name + ".jsonl");
    ResultFile.write(file, frame.schema(), frame.collectAsList());
    System.out.printf("%-14s %6.2f s%n", name, (System.nanoTime() - started) / 1e9);
    if (Boolean.getBoolean("spillway.queries.explain")) {
      System.out.println(Explain.of(frame));
    }
    return ResultFile.read(file);
  }
}
