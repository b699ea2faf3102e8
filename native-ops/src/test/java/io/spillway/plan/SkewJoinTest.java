package io.spillway.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.operator.NativeShuffledHashJoinExec;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.PartialReducerPartitionSpec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AQEShuffleReadExec;
import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec;
import org.apache.spark.sql.spillway.SpillwayShuffleExchangeExec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.collection.JavaConverters;

/**
 * Adaptive execution splits the large partitions of a native join over native exchanges as it does
 * with its own: half of the left side's rows have one key.
 */
class SkewJoinTest {
  private static final Map<String, String> SETTINGS =
      Map.of(
          "spark.sql.autoBroadcastJoinThreshold", "-1",
          "spark.sql.adaptive.autoBroadcastJoinThreshold", "-1",
          "spark.sql.shuffle.partitions", "6",
          "spark.sql.files.openCostInBytes", "200m",
          "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes", "4000",
          "spark.sql.adaptive.skewJoin.skewedPartitionFactor", "1.5",
          "spark.sql.adaptive.advisoryPartitionSizeInBytes", "4000");

  private static PlanSession session;

  @TempDir static Path folder;

  @BeforeAll
  static void open() {
    session = PlanSession.open(folder);
    SETTINGS.forEach((key, value) -> session.spark().conf().set(key, value));
    table(
        "skewed",
        "select id, if(id % 2 = 0, 3, id) as k, concat('payload ', id * 7919) as t"
            + " from range(0, 12000, 1, 6)");
    table("plain", "select id as k, concat('row ', id) as u from range(0, 9000, 3, 4)");
  }

  @AfterAll
  static void close() {
    session.close();
  }

  private static void table(String name, String sql) {
    String path = folder.resolve(name).toString();
    session.spark().sql(sql).write().parquet(path);
    session.spark().read().parquet(path).createOrReplaceTempView(name);
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "merge, join",
    "merge, left join",
    "merge, left semi join",
    "merge, left anti join",
    "shuffle_hash, join",
    "shuffle_hash, left join",
    "shuffle_hash, left semi join",
  })
  void shouldBeReadBySeveralTasksWhenOnePartitionOfTheLeftSideIsLarge(String hint, String type) {
    boolean leftOnly = type.contains("semi") || type.contains("anti");
    String sql =
        "select /*+ %s(plain) */ a.id, a.t%s from skewed a %s plain on a.k = plain.k"
            .formatted(hint, leftOnly ? "" : ", plain.u", type);

    assertSplit(sql, 0);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"join", "right join"})
  void shouldBeReadBySeveralTasksWhenOnePartitionOfTheRightSideIsLarge(String type) {
    assertSplit(
        "select /*+ merge(a) */ a.id, a.t, plain.u from plain %s skewed a on a.k = plain.k"
            .formatted(type),
        1);
  }

  @Test
  void shouldBeSplitWhenAnAggregateFollowsBehindAnotherExchange() {
    assertSplit(
        "select u, count(*), max(t) from (select /*+ merge(plain) */ a.t, plain.u from skewed a"
            + " join plain on a.k = plain.k) group by u",
        0);
  }

  @Test
  void shouldBeWholeWhenSplittingIsTurnedOff() {
    NativeShuffledHashJoinExec join =
        session.with(
            "spark.sql.adaptive.skewJoin.enabled",
            "false",
            () -> run("select a.id, plain.u from skewed a join plain on a.k = plain.k"));

    assertThat(join.isSkewJoin()).isFalse();
    assertThat(join.nodeName()).isEqualTo("SpillwayShuffledHashJoin");
  }

  private static void assertSplit(String sql, int side) {
    NativeShuffledHashJoinExec join = run(sql);

    assertThat(join.isSkewJoin()).isTrue();
    assertThat(join.toString()).contains("SpillwayShuffledHashJoin(skew=true)");
    for (int i = 0; i < 2; i++) {
      assertThat(((ShuffleQueryStageExec) read(join, i).child()).shuffle())
          .isInstanceOf(SpillwayShuffleExchangeExec.class);
    }
    assertThat(tasksOfLargestPartition(read(join, side)))
        .as("tasks that share the partition of the key that half of the rows have")
        .isGreaterThan(1);
    assertThat(read(join, 1 - side).partitionSpecs().size())
        .isEqualTo(read(join, side).partitionSpecs().size());
  }

  private static AQEShuffleReadExec read(SparkPlan join, int side) {
    return (AQEShuffleReadExec) join.children().apply(side);
  }

  private static int tasksOfLargestPartition(AQEShuffleReadExec read) {
    Map<Integer, Integer> tasks = new HashMap<>();
    JavaConverters.seqAsJavaList(read.partitionSpecs())
        .forEach(
            spec -> {
              if (spec instanceof PartialReducerPartitionSpec part) {
                tasks.merge(part.reducerIndex(), 1, Integer::sum);
              }
            });
    return tasks.values().stream().mapToInt(count -> count).max().orElse(0);
  }

  /** Runs a query, compares it with plain Spark, and answers its only join. */
  private static NativeShuffledHashJoinExec run(String sql) {
    List<String> expected = session.plainRows(sql);
    Dataset<Row> query = session.spark().sql(sql);
    assertThat(PlanSession.rows(query)).as(sql).isEqualTo(expected);
    List<NativeShuffledHashJoinExec> joins =
        PlanSession.nodes(query.queryExecution().executedPlan(), NativeShuffledHashJoinExec.class);
    assertThat(joins).as("native joins of %s", sql).hasSize(1);
    return joins.get(0);
  }
}
