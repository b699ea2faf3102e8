package io.spillway.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.memory.ExecutorMemory;
import io.spillway.plan.Explain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * All queries of TPC-H, the transactions query and the dashboard query at one scale: plain Spark,
 * which has normal memory, answers them first, then Spillway in a given setting. The results are
 * the same, and nothing is left.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WholeQueries {
  @TempDir private static Path directory;

  /** Queries that make rows of their result alone. */
  private static final Set<String> IN_COLUMNS =
      Set.of(
          "transactions",
          "dashboard",
          "tpch-1",
          "tpch-3",
          "tpch-5",
          "tpch-9",
          "tpch-18",
          "tpch-21");

  private final Map<String, ResultFile> answers = new LinkedHashMap<>();
  private final QueryCatalogue catalogue;

  private SparkSession spark;

  /**
   * @param scale of the tables, as it is written in the names of their folders
   */
  WholeQueries(String scale) {
    catalogue = new QueryCatalogue(Path.of(System.getProperty("user.dir"), "target"), scale);
  }

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
  void answerWithPlainSpark() throws IOException {
    try (SparkSession plain = session("plain", true, 2).getOrCreate()) {
      catalogue.make(plain, directory);
      for (Map.Entry<String, Function<SparkSession, Dataset<Row>>> query :
          catalogue.queries().entrySet()) {
        answers.put(query.getKey(), run(query.getKey(), frame(plain, query.getValue())));
      }
    }
  }

  @AfterEach
  void stop() {
    spark.stop();
  }

  final void assertSameAnswers(Setting setting) throws IOException {
    spark =
        session("starved", setting.adaptive(), setting.slots())
            .config("spark.plugins", "io.spillway.SpillwayPlugin")
            .config("spark.memory.offHeap.enabled", true)
            .config("spark.memory.offHeap.size", setting.offHeap())
            .getOrCreate();
    List<String> wrong = new ArrayList<>();
    for (Map.Entry<String, Function<SparkSession, Dataset<Row>>> query :
        catalogue.queries().entrySet()) {
      String name = query.getKey();
      try {
        Dataset<Row> frame = frame(spark, query.getValue());
        ResultFile result = run(name, frame);
        if (IN_COLUMNS.contains(name)) {
          rowsBetween(Explain.of(frame))
              .ifPresent(plan -> wrong.add(name + " has rows between scan and result: " + plan));
        }
        ResultComparison.difference(answers.get(name), result, false)
            .ifPresent(difference -> wrong.add(name + ": " + difference));
      } catch (Exception e) {
        // Spark throws checked exceptions that its Java signatures do not declare.
        wrong.add(name + " failed: " + e);
      }
      spark.catalog().clearCache();
      ExecutorMemory memory = ExecutorMemory.installed().orElseThrow();
      try {
        // What tasks shared goes a little after the query's end.
        Awaitility.await("everything is given back after " + name)
            .atMost(20, TimeUnit.SECONDS)
            .until(() -> memory.snapshot().usedBytes() == 0 && memory.snapshot().blocks() == 0);
      } catch (ConditionTimeoutException e) {
        wrong.add(name + " left " + memory.snapshot());
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

  private Dataset<Row> frame(SparkSession session, Function<SparkSession, Dataset<Row>> query) {
    catalogue.register(session);
    return query.apply(session);
  }

  private static ResultFile run(String name, Dataset<Row> frame) throws IOException {
    long started = System.nanoTime();
    Path file = directory.resolve(name + ".jsonl");
    ResultFile.write(file, frame.schema(), frame.collectAsList());
    System.out.printf("%-14s %6.2f s%n", name, (System.nanoTime() - started) / 1e9);
    if (Boolean.getBoolean("spillway.queries.explain")) {
      System.out.println(Explain.of(frame));
    }
    return ResultFile.read(file);
  }

  /**
   * The plan of a query that has run, if it is not columns from its scans to its result: on the JVM
   * there may be scans, and what takes the first rows of the result.
   */
  private static Optional<String> rowsBetween(String plan) {
    long transitions = plan.lines().filter(line -> line.strip().startsWith("transition ")).count();
    boolean onTheJvm =
        plan.lines()
            .map(String::strip)
            .filter(line -> line.startsWith("JVM "))
            .map(line -> line.substring(4).strip())
            .anyMatch(
                node ->
                    !node.startsWith("Scan parquet")
                        && !node.startsWith("InMemoryTableScan")
                        && !node.startsWith("TakeOrderedAndProject"));
    return transitions == 1 && !onTheJvm ? Optional.empty() : Optional.of(plan);
  }
}
