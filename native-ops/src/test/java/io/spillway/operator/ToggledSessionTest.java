package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.plan.Installation;
import io.spillway.plan.KindGate;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Adaptive execution plans stage by stage, and reads the settings and asks the breakers each time:
 * those of one query may find Spillway, or a kind of operator, on and off in turn.
 */
class ToggledSessionTest {
  private static final String ENABLED = "spark.spillway.enabled";
  private static final int ROUNDS = 6;

  private static final List<String> QUERIES =
      List.of(
          "select a.k, count(*), sum(b.id) from t a join t b on a.id = b.id + 3 group by a.k",
          "select /*+ broadcast(b) */ a.t, count(*) from t a join (select * from t where id < 90) b"
              + " on a.k = b.id group by a.t",
          "select t, id, sum(id) over (partition by t order by id) from t where k < 5",
          "select k, count(distinct t), max(t) from t group by k order by k",
          "select * from (select k, t from t where id in (select id + 1 from t where k = 7)) union"
              + " all select k, max(t) from t group by k",
          "select /*+ repartition(3) */ k, count(*) from t group by k");

  private static TestSession session;

  @TempDir static Path folder;

  @BeforeAll
  static void open() {
    session = TestSession.open(2, "64m", Map.of());
    session.makeTexts(folder);
  }

  @AfterAll
  static void close() {
    session.close();
  }

  @Test
  void shouldAnswerAlikeWhileItIsTurnedOffAndOn() throws Exception {
    SparkSession spark = session.spark();
    Map<String, Results> expected = new HashMap<>();
    spark.conf().set(ENABLED, "false");
    for (String sql : QUERIES) {
      expected.put(sql, Results.of(spark.sql(sql)));
    }
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<?> toggling = thread.submit(() -> toggle(spark, over));
      for (int round = 0; round < ROUNDS; round++) {
        for (String sql : QUERIES) {
          Results.of(spark.sql(sql)).assertEquals(expected.get(sql), sql);
        }
      }
      over.set(true);
      toggling.get();
    } finally {
      over.set(true);
      thread.shutdownNow();
      spark.conf().set(ENABLED, "true");
    }
    session.assertNothingLeft();
  }

  /** As circuit breakers may, at any moment, for each operator alone. */
  @Test
  void shouldAnswerAlikeWhenKindsAreRefusedAtRandom() {
    SparkSession spark = session.spark();
    Map<String, Results> expected = new HashMap<>();
    for (String sql : QUERIES) {
      expected.put(sql, Results.of(spark.sql(sql)));
    }
    long seed = Long.getLong("spillway.toggled.seed", System.nanoTime());
    System.out.println("kinds are refused with -Dspillway.toggled.seed=" + seed);
    Random random = new Random(seed);
    AtomicInteger refused = new AtomicInteger();
    KindGate before = Installation.gate();
    Installation.start(
        (kind, query) -> {
          synchronized (random) {
            if (random.nextInt(3) > 0) {
              return Optional.empty();
            }
          }
          refused.incrementAndGet();
          return Optional.of("refused at random");
        });
    try {
      for (int round = 0; round < ROUNDS; round++) {
        for (String sql : QUERIES) {
          Results.of(spark.sql(sql)).assertEquals(expected.get(sql), sql);
        }
      }
    } finally {
      Installation.start(before);
    }
    assertThat(refused).hasPositiveValue();
    session.assertNothingLeft();
  }

  /** As fast as plans are made, so that many meet it. */
  private static void toggle(SparkSession spark, AtomicBoolean over) {
    for (boolean on = true; !over.get(); on = !on) {
      spark.conf().set(ENABLED, on);
      LockSupport.parkNanos(200_000);
    }
  }
}
