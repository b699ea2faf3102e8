package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.memory.ExecutorMemory;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Joins with a broadcast side over Parquet, native against Spark's own in the same session. */
class NativeBroadcastJoinTest {
  private static final String AQE = "spark.sql.adaptive.enabled";

  private static TestSession session;

  @TempDir static Path folder;

  @BeforeAll
  static void open() {
    Map<String, String> settings =
        Map.of("spark.sql.autoBroadcastJoinThreshold", "-1", "spark.sql.shuffle.partitions", "2");
    session = TestSession.open(2, "64m", settings);
    table("a", 700, 3, 120);
    table("b", 400, 2, 150);
  }

  private static void table(String name, int rows, int files, int keys) {
    SparkSession spark = session.spark();
    String path = folder.resolve(name).toString();
    spark
        .sql(
            """
            select id, k, if(k %% 29 = 0, null, k) as l,
              case when k %% 17 = 0 then double('NaN') when k %% 13 = 0 then -0.0D
                when k %% 7 = 0 then 0.0D when k %% 23 = 0 then null else k / 4.0D end as d,
              if(k %% 41 = 0, null, cast(k as decimal(30, 3)) * 1000000007) as dec38,
              if(k %% 43 = 0, null, concat('a text that does not fit into a slot ', k)) as t,
              id %% 1000 as v,
              if(id %% 11 = 0, null, concat('payload number ', id, ' of table %s')) as payload
            from (select id, (id * 7919) %% %d as k from range(0, %d, 1, %d))
            """
                .formatted(name, keys, rows, files))
        .write()
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView(name);
  }

  @AfterAll
  static void close() {
    session.close();
  }

  private static String plan(Dataset<Row> query) {
    return query.queryExecution().executedPlan().toString();
  }

  private static void check(String sql) {
    for (String adaptive : new String[] {"true", "false"}) {
      session.spark().conf().set(AQE, adaptive);
      try {
        assertThat(plan(session.assertSameAsSpark(sql)))
            .as("the plan of %s with adaptive execution %s", sql, adaptive)
            .contains("SpillwayBroadcastHashJoin", "SpillwayBroadcastExchange")
            .doesNotContain(" BroadcastHashJoin", " BroadcastExchange");
      } finally {
        session.spark().conf().unset(AQE);
      }
    }
  }

  @ParameterizedTest(name = "{1} that broadcasts {0}")
  @CsvSource({
    "b, inner join",
    "a, inner join",
    "b, left join",
    "a, right join",
    "b, left semi join",
    "b, left anti join",
  })
  void shouldEqualSparkWhenJoiningInAnyWay(String side, String type) {
    boolean left = type.contains("semi") || type.contains("anti");
    String head =
        "select /*+ broadcast(%s) */ a.id, a.t%s from a %s b on "
            .formatted(side, left ? "" : ", b.id, b.payload, b.d", type);
    check(head + "a.l = b.l");
    check(head + "a.d = b.d and a.dec38 = b.dec38 and (a.payload < b.payload or a.v + b.v > 60)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select /*+ broadcast(b) */ a.id, b.id from a join b on a.t = b.t",
        "select * from a where exists (select /*+ broadcast(b) */ 1 from b where b.l = a.l) or a.v > 400",
        "select /*+ broadcast(x) */ a.id, x.k from a join (select * from b where id < 0) x on a.l = x.l",
        "select /*+ broadcast(x) */ a.id from a left join (select * from b where id < 0) x on a.l = x.l",
        "select /*+ broadcast(x, y) */ a.id, x.id, y.v from a join b x on a.l = x.l join b y on a.k = y.k",
        "select /*+ broadcast(x) */ x.n, count(*) from a join (select l, count(*) n from b group by l) x"
            + " on a.l = x.l group by x.n",
      })
  void shouldEqualSparkWhenTheShapeIsUnusual(String sql) {
    session.spark().conf().set("spark.sql.autoBroadcastJoinThreshold", "10m");
    try {
      check(sql);
    } finally {
      session.spark().conf().set("spark.sql.autoBroadcastJoinThreshold", "-1");
    }
  }

  @ParameterizedTest(name = "where {0}")
  @ValueSource(strings = {"l is not null", "true", "id < 0"})
  void shouldTreatNullsAsNotInDoesWhenAnAntiJoinIsNullAware(String which) {
    session.spark().conf().set("spark.sql.autoBroadcastJoinThreshold", "10m");
    try {
      check("select id, l from a where l not in (select l from b where " + which + " and k < 60)");
    } finally {
      session.spark().conf().set("spark.sql.autoBroadcastJoinThreshold", "-1");
    }
  }

  @Test
  void shouldBroadcastOnceWhenTwoJoinsReadTheSameRows() {
    String sql =
        "select /*+ broadcast(x, y) */ a.id, x.v, y.v as w from a join b x on a.l = x.l join b y"
            + " on a.k = y.l";
    check(sql);
    Dataset<Row> query = session.spark().sql(sql);
    query.collectAsList();
    assertThat(plan(query)).contains("ReusedExchange");
  }

  @Test
  void shouldBuildOneTableWhenTwoJoinsKeepTheSameOfTheSameRows() {
    String one = "select /*+ broadcast(x) */ a.id, x.v from a join b x on a.l = x.l";
    String same =
        "select /*+ broadcast(x, y) */ a.id, x.v, y.v as w from a join b x on a.l = x.l join b y"
            + " on a.k = y.l";
    String other =
        "select /*+ broadcast(x, y) */ a.id, x.v, y.v as w from a join b x on a.l = x.l join b y"
            + " on a.k = y.v and y.l > 0 and x.l > 0";
    long bytes = sharedBytesAfter(one);

    assertThat(bytes).isPositive();
    assertThat(sharedBytesAfter(same)).isEqualTo(bytes);
    assertThat(sharedBytesAfter(other)).isGreaterThan(bytes);
  }

  /** What tables hold after a job that is no query of Spark's, whose end would give them back. */
  private static long sharedBytesAfter(String sql) {
    ExecutorMemory memory = ExecutorMemory.installed().orElseThrow();
    session.spark().conf().set(AQE, "false");
    try {
      assertThat(session.spark().sql(sql).toJavaRDD().count()).isPositive();
      long bytes = memory.snapshot().sharedBytes();
      memory.shared().evictUnused(Long.MAX_VALUE);
      return bytes;
    } finally {
      session.spark().conf().unset(AQE);
    }
  }
}
