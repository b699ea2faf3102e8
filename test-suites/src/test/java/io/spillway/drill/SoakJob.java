package io.spillway.drill;

import io.spillway.chaos.JobProperties;
import io.spillway.report.Json;
import io.spillway.testing.internal.ExecutorCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Many queries in one session, for a JVM of its own with the agent in it: each is picked at random,
 * runs under a label of its own while the agent's plan injects faults, and is compared with what
 * plain Spark answered before. What fails cleanly runs again without faults.
 */
public final class SoakJob {
  private static final Pattern CLEAN =
      Pattern.compile(
          "\\(injected: |injected failure: |SparkOutOfMemoryError|SpillException|FetchFailed");

  /** Spark ends an executor for these, wherever they stand in the chain of causes. */
  private static final Pattern FATAL =
      Pattern.compile("\\b(java\\.lang\\.OutOfMemoryError|OutOfDirectMemoryError)\\b");

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final SparkSession spark;
  private final QueryCatalogue catalogue;
  private final Map<String, ResultFile> answers = new HashMap<>();

  private SoakJob(SparkSession spark, QueryCatalogue catalogue) {
    this.spark = spark;
    this.catalogue = catalogue;
  }

  /**
   * One query.
   *
   * @param failed why it failed under faults; empty if it did not
   * @param problem what was wrong; empty if nothing was
   * @param residentBytes of the process afterwards
   * @param jvmBytes of them that the JVM accounts for
   */
  public record Query(
      String name, String failed, String problem, long millis, long residentBytes, long jvmBytes) {}

  /**
   * All of them.
   *
   * @param seed that chose them
   */
  public record Outcome(long seed, List<Query> queries) {}

  /**
   * Runs them.
   *
   * @param arguments the build's folder, the scale, a seed, how many, the file for the outcome
   */
  public static void main(String[] arguments) throws IOException {
    QueryCatalogue catalogue = new QueryCatalogue(Path.of(arguments[0]), arguments[1]);
    long seed = Long.parseLong(arguments[2]);
    int count = Integer.parseInt(arguments[3]);
    Path file = Path.of(arguments[4]);
    List<Query> queries = new ArrayList<>();
    try (SparkSession spark = SparkSession.builder().config(new SparkConf()).getOrCreate()) {
      SoakJob soak = new SoakJob(spark, catalogue);
      soak.prepare(file.toAbsolutePath().getParent());
      List<String> names = new ArrayList<>(catalogue.queries().keySet());
      Random random = new Random(seed);
      for (int n = 0; n < count; n++) {
        queries.add(soak.query(n, names.get(random.nextInt(names.size()))));
      }
    }
    Json.write(file, new Outcome(seed, queries));
  }

  private void prepare(Path work) throws IOException {
    label("tables");
    spark.conf().set("spark.spillway.enabled", false);
    catalogue.make(spark, work);
    label("plain");
    for (String name : catalogue.queries().keySet()) {
      answers.put(name, answer(name));
    }
    spark.conf().set("spark.spillway.enabled", true);
  }

  private Query query(int n, String name) throws IOException {
    long startedNanos = System.nanoTime();
    label("soak-" + n);
    String failed = "";
    List<String> problems = new ArrayList<>();
    try {
      difference(name).ifPresent(problems::add);
    } catch (Exception e) {
      // Spark throws checked exceptions that its Java signatures do not declare.
      failed = chain(e);
      if (FATAL.matcher(failed).find() || !CLEAN.matcher(failed).find()) {
        problems.add("it did not fail cleanly");
      }
      label("again-" + n);
      try {
        difference(name).map(difference -> "again: " + difference).ifPresent(problems::add);
      } catch (Exception again) {
        problems.add("it failed again, without a fault: " + chain(again));
      }
    }
    problems.addAll(left());
    long millis = (System.nanoTime() - startedNanos) / 1_000_000;
    // What the collector has not looked at yet is not what is asked for here.
    System.gc();
    ProcessFigures memory = ProcessFigures.now();
    return new Query(
        name,
        failed,
        String.join("; ", problems),
        millis,
        memory.residentBytes(),
        memory.jvmBytes());
  }

  private Optional<String> difference(String name) {
    return ResultComparison.difference(answers.get(name), answer(name), false);
  }

  private ResultFile answer(String name) {
    catalogue.register(spark);
    Function<SparkSession, Dataset<Row>> query = catalogue.queries().get(name);
    Dataset<Row> rows = query.apply(spark);
    ResultFile answer = ResultFile.of(rows.schema(), rows.collectAsList());
    spark.catalog().clearCache();
    return answer;
  }

  private void label(String label) {
    spark.sparkContext().setLocalProperty(JobProperties.LABEL, label);
  }

  /** What is held once every task has had its time to end. */
  private static List<String> left() {
    try {
      Awaitility.await("nothing is left")
          .pollInSameThread()
          .pollDelay(Duration.ZERO)
          .atMost(PATIENCE)
          .until(() -> ExecutorCheck.heldNow().isEmpty());
      return List.of();
    } catch (ConditionTimeoutException e) {
      return ExecutorCheck.heldNow().stream().map(left -> "left behind: " + left).toList();
    }
  }

  private static String chain(Throwable failure) {
    StringBuilder text = new StringBuilder();
    int depth = 0;
    for (Throwable cause = failure; cause != null && depth < 10; cause = cause.getCause()) {
      text.append(cause.toString().lines().limit(3).toList()).append(' ');
      depth++;
    }
    return text.toString().strip();
  }
}
