package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.memory.ExecutorMemory;
import io.spillway.plan.PlanFigures;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.TaskKilled;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Broadcast tables that do not fit are written once per executor, whatever befalls its tasks. */
@Timeout(300)
class SharedBroadcastTest {
  private static final Map<String, String> SETTINGS =
      Map.of("spark.sql.autoBroadcastJoinThreshold", "10g", "spark.sql.adaptive.enabled", "false");

  /** Larger than what a task writes of its few probe rows, smaller than what is broadcast. */
  private static final long LARGE_BYTES = 256 << 10;

  private static final AtomicBoolean TO_BE_DAMAGED = new AtomicBoolean();

  /** How attempts of a session have failed. */
  private static final class Failures extends SparkListener {
    private final List<TaskFailedReason> reasons = new CopyOnWriteArrayList<>();

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      if (end.reason() instanceof TaskFailedReason failed) {
        reasons.add(failed);
      }
    }
  }

  /** {@code y}: so many rows with distinct keys and texts; {@code x}: keys of which some match. */
  private static void tables(TestSession session, long builds, long probes, int partitions) {
    session
        .spark()
        .sql(
            """
            select (id * 104729) %% %1$d as k, if(id %% 31 = 0, null, id * 2) as n, id * 3 as v,
              concat('a text that takes some room ', id) as t
            from range(0, %1$d, 1, 3)
            """
                .formatted(builds))
        .createOrReplaceTempView("y");
    session
        .spark()
        .sql(
            """
            select (id * 7919) %% %1$d * 2 as k, if(id %% 37 = 0, null, id * 4) as n, id as v
            from range(0, %2$d, 1, %3$d)
            """
                .formatted(builds, probes, partitions))
        .createOrReplaceTempView("x");
  }

  /** Rows of {@code x} whose key is one of {@code y}'s. */
  private static long matches(long builds, long probes) {
    return LongStream.range(0, probes).filter(id -> id * 7919 % builds * 2 < builds).count();
  }

  private static PlanFigures figures(Dataset<Row> query) {
    assertThat(query.queryExecution().executedPlan().toString())
        .contains("SpillwayBroadcastHashJoin");
    return PlanFigures.of(query.queryExecution().executedPlan());
  }

  @ParameterizedTest(name = "{0} off-heap, {1} tasks at once")
  @CsvSource({"16m, 4, 60000", "2m, 2, 20000"})
  void shouldEqualSparkWhenTasksShareWhatDoesNotFit(String offHeap, int tasks, long builds) {
    List<String> queries =
        List.of(
            "select /*+ broadcast(y) */ x.v, y.k, y.t from x join y on x.k = y.k",
            "select /*+ broadcast(y) */ x.v, y.k, y.t from x left join y on x.k = y.k and y.v > x.v",
            "select /*+ broadcast(y) */ x.v, y.k, y.t from y right join x on x.k = y.k",
            "select /*+ broadcast(y) */ x.* from x left semi join y on x.n = y.n",
            "select /*+ broadcast(y) */ x.* from x left anti join y on x.n = y.n",
            "select x.* from x where v % 3 = 1 or exists (select 1 from y where y.k = x.k)",
            "select x.* from x where n not in (select v * 5 from y)",
            "select x.* from x where n not in (select n from y)");
    try (TestSession session = TestSession.open(tasks, offHeap, SETTINGS)) {
      tables(session, builds, builds / 2, tasks);
      for (String query : queries) {
        assertThat(figures(session.assertSameAsSpark(query)).spilledBytes())
            .as("bytes spilled by %s", query)
            .isPositive();
      }
    }
  }

  @Test
  void shouldEqualSparkWhenOneKeyAloneDoesNotFit() {
    try (TestSession session = TestSession.open(2, "2m", SETTINGS)) {
      Dataset<Row> query =
          session
              .spark()
              .sql(
                  """
                  select /*+ broadcast(y) */ count(*), sum(y.v), count(distinct x.id),
                    count(if(y.v is null, 1, null))
                  from (select id, if(id < 40, 0, id) as k from range(0, 80, 1, 2)) x
                  left join (select id % 1 as k, id as v,
                      concat('a text that takes some room ', id) as t
                    from range(0, 60000, 1, 1)) y
                  on x.k = y.k and y.t > 'a text'
                  """);
      Row row = query.collectAsList().get(0);
      assertThat(row.getLong(0)).isEqualTo(40L * 60_000 + 40);
      assertThat(row.getLong(1)).isEqualTo(40L * (59_999L * 60_000 / 2));
      assertThat(row.getLong(2)).isEqualTo(80);
      assertThat(row.getLong(3)).isEqualTo(40);
      assertThat(figures(query).spilledBytes()).isGreaterThan(2 << 20);
      session.assertNothingLeft();
    }
  }

  @ParameterizedTest(name = "{0} off-heap, {1} tasks at once")
  @CsvSource({"4m, 1", "16m, 4"})
  void shouldWriteOneFileAndCountItOnceHoweverManyTasksReadIt(String offHeap, int tasks) {
    try (TestSession session = TestSession.open(tasks, offHeap, SETTINGS)) {
      UDF1<Long, String> files =
          value ->
              TestSession.spillFiles().stream()
                  .filter(file -> file.length() > LARGE_BYTES)
                  .map(File::getName)
                  .collect(Collectors.joining(" "));
      session.spark().udf().register("files", functions.udf(files, DataTypes.StringType));
      String join = "select /*+ broadcast(y) */ %s from x join y on x.k = y.k";
      tables(session, 80_000, 200, 1);
      Dataset<Row> single = session.spark().sql(join.formatted("count(y.t), sum(y.v)"));
      single.collectAsList();
      long onceBytes = figures(single).spilledBytes();
      assertThat(onceBytes).as("bytes spilled by one task").isGreaterThan(80_000L * 30);
      // Its file goes a little after its query; the other must not see it.
      session.assertNothingLeft();

      tables(session, 80_000, 200, 8);
      Dataset<Row> query =
          session.spark().sql(join.formatted("collect_set(files(x.v)), count(y.t), sum(y.v)"));
      Row row = query.collectAsList().get(0);

      assertThat(row.<String>getList(0))
          .as("files, of which one looked when its task had found a match")
          .singleElement()
          .asString()
          .startsWith("temp_local_")
          .doesNotContain(" ");
      assertThat(row.getLong(1)).isEqualTo(matches(80_000, 200));
      assertThat(figures(query).spilledBytes())
          .as("bytes spilled by eight tasks, where one spills %d", onceBytes)
          .isBetween(onceBytes * 9 / 10, onceBytes * 6 / 5);
      session.assertNothingLeft();
    }
  }

  @Test
  void shouldLetAnotherTaskWriteWhenTheOneThatWritesIsKilled() throws Exception {
    try (TestSession session = TestSession.open(2, "16m", SETTINGS)) {
      Failures failures = new Failures();
      session.spark().sparkContext().addSparkListener(failures);
      tables(session, 600_000, 2_000, 2);
      Dataset<Row> query =
          session
              .spark()
              .sql(
                  "select /*+ broadcast(y) */ count(*), sum(if(y.k = x.k, 1, 0)), sum(length(y.t))"
                      + " from x left join y on x.k = y.k");
      ExecutorMemory memory = ExecutorMemory.installed().orElseThrow();
      CompletableFuture<Row> running =
          CompletableFuture.supplyAsync(() -> query.collectAsList().get(0));
      long[] writer = new long[1];
      Awaitility.await("a task writes what is broadcast")
          .atMost(Duration.ofMinutes(2))
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(1))
          .until(
              () ->
                  TestSession.spillFiles().stream().anyMatch(file -> file.length() > 0)
                      && writer(memory)
                          .map(
                              task -> {
                                writer[0] = task;
                                return true;
                              })
                          .orElse(false));

      assertThat(session.spark().sparkContext().killTaskAttempt(writer[0], true, "by the test"))
          .isTrue();

      Row row = running.get();
      assertThat(row.getLong(0)).isEqualTo(2_000);
      assertThat(row.getLong(1)).isEqualTo(matches(600_000, 2_000));
      assertThat(failures.reasons).hasAtLeastOneElementOfType(TaskKilled.class);
      // The killed task's figures are lost: what is counted here was written by another.
      assertThat(figures(query).spilledBytes()).isGreaterThan(600_000L * 50);
      session.assertNothingLeft();
    }
  }

  /** The task attempt that builds for the others now. */
  private static Optional<Long> writer(ExecutorMemory memory) {
    Pattern owner = Pattern.compile("task (\\d+) / BroadcastHashJoin\\(build\\).*");
    return memory.snapshot().owners().stream()
        .map(owner::matcher)
        .filter(Matcher::matches)
        .map(match -> Long.parseLong(match.group(1)))
        .findFirst();
  }

  @Test
  void shouldWriteAnewWhenATaskFindsTheFileDamaged() {
    try (TestSession session = TestSession.open(1, "4m", SETTINGS)) {
      Failures failures = new Failures();
      session.spark().sparkContext().addSparkListener(failures);
      UDF1<Long, Long> damage =
          value -> {
            if (TO_BE_DAMAGED.compareAndSet(true, false)) {
              damageLargest();
            }
            return value;
          };
      session.spark().udf().register("damage", functions.udf(damage, DataTypes.LongType));
      tables(session, 60_000, 4_000, 2);
      Dataset<Row> query =
          session
              .spark()
              .sql(
                  "select /*+ broadcast(y) */ count(damage(x.v)), sum(if(y.k = x.k, 1, 0))"
                      + " from x left join y on x.k = y.k");
      TO_BE_DAMAGED.set(true);

      Row row = query.collectAsList().get(0);

      assertThat(TO_BE_DAMAGED).as("the file was damaged").isFalse();
      assertThat(row.getLong(0)).isEqualTo(4_000);
      assertThat(row.getLong(1)).isEqualTo(matches(60_000, 4_000));
      Awaitility.await("the failure is told")
          .untilAsserted(
              () ->
                  assertThat(failures.reasons)
                      .singleElement()
                      .extracting(TaskFailedReason::toErrorString)
                      .asString()
                      .contains("SpillException: Spill file")
                      .contains("temp_local_"));
      session.assertNothingLeft();
    }
  }

  private static void damageLargest() throws IOException {
    File largest =
        TestSession.spillFiles().stream().max(Comparator.comparingLong(File::length)).orElseThrow();
    byte[] bytes = Files.readAllBytes(largest.toPath());
    for (int i = 0; i < bytes.length; i += 500) {
      bytes[i] ^= 0x11;
    }
    Files.write(largest.toPath(), bytes);
  }
}
