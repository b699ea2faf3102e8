package io.spillway.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.chaos.FaultPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests for {@link LaunchedTests} that try to pass although they must not, or that make it hard for
 * the extension to tell.
 */
final class HostileCases {
  private HostileCases() {}

  private static boolean isFirstTask(FaultReport report) {
    return report.fault().orElse("").contains(" s=0 p=0 ");
  }

  private static void waitForEver() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Each must fail, and its sweep must say why. */
  static final class Lies {
    private static int runs;

    @FaultSweep(point = FaultPoint.TASK_END, max = 1)
    void anArrayThatLooksLikeAnother(SparkSession spark, FaultReport report) {
      report.result(
          spark.sql(
              report.fault().isPresent()
                  ? "select array('a, b') as s from range(1)"
                  : "select array('a', 'b') as s from range(1)"));
    }

    @FaultSweep(point = FaultPoint.TASK_END, max = 1)
    void aNullThatLooksLikeText(SparkSession spark, FaultReport report) {
      report.result(
          spark.sql(
              report.fault().isPresent()
                  ? "select named_struct('a', 'null') as s from range(1)"
                  : "select named_struct('a', cast(null as string)) as s from range(1)"));
    }

    @FaultSweep(point = FaultPoint.TASK_END, max = 1)
    void rowTwiceInThePlaceOfAnother(SparkSession spark, FaultReport report) {
      int ones = report.fault().isPresent() ? 1 : 2;
      report.result(
          spark
              .range(3)
              .selectExpr(
                  "if(id < " + ones + ", 1, 2) as a", "if(id < " + ones + ", 2.5D, 3.5D) as b"));
    }

    @FaultSweep(point = FaultPoint.TASK_END, max = 1)
    void otherOrder(SparkSession spark, FaultReport report) {
      Dataset<Row> rows = spark.range(0, 9, 1, 1).toDF("id");
      report.orderedResult(rows.orderBy(functions.expr(report.fault().isPresent() ? "id" : "-id")));
    }

    @FaultSweep(point = FaultPoint.TASK_END, max = 1)
    void errorThatOnlySoundsInjected(SparkSession spark, FaultReport report) {
      report.result(SweepCases.totals(spark));
      if (report.fault().isPresent()) {
        throw new IllegalStateException("the clock was not injected");
      }
    }

    @FaultSweep(point = FaultPoint.TASK_END, max = 1)
    void threadOfTheRunAfter(SparkSession spark, FaultReport report) {
      report.result(SweepCases.totals(spark));
      // The third run is the one with the fault, the fourth the one after it.
      if (++runs == 4) {
        Thread thread = new Thread(() -> waitForEver(), "left-later");
        thread.setDaemon(true);
        thread.start();
      }
    }

    @FaultSweep(point = FaultPoint.TASK_END, max = 1)
    void sessionThatIsGone(SparkSession spark, FaultReport report) {
      report.result(SweepCases.totals(spark));
      if (report.fault().isPresent()) {
        spark.stop();
      }
    }
  }

  /** What does not end. */
  static final class Hangs {
    @FaultSweep(point = FaultPoint.TASK_END, max = 2)
    void testThatHangs(SparkSession spark, FaultReport report) {
      report.result(SweepCases.totals(spark));
      if (isFirstTask(report)) {
        waitForEver();
      }
    }

    @FaultSweep(point = FaultPoint.TASK_END, max = 1)
    void taskThatHangs(SparkSession spark, FaultReport report) {
      report.result(SweepCases.totals(spark));
      if (report.fault().isPresent()) {
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(List.of(1), 1)
            .foreach(one -> waitForEver());
      }
    }
  }

  /** Nothing is injected, and that must not look well. */
  static final class Nothing {
    @FaultSweep(point = FaultPoint.TASK_END)
    void noRows(SparkSession spark, FaultReport report) {
      report.result(SweepCases.totals(spark).where("k > 7"));
    }

    @FaultSweep(point = FaultPoint.TASK_END)
    void outOfMemory(SparkSession spark, FaultReport report) {
      if (report.fault().isEmpty()) {
        throw new OutOfMemoryError("of the test");
      }
    }

    @FaultSweep(
        point = FaultPoint.TASK_END,
        mode = {})
    void noMode(SparkSession spark, FaultReport report) {}

    @FaultSweep(point = FaultPoint.TASK_END, max = -1)
    void negative(SparkSession spark, FaultReport report) {}

    @FaultSweep(point = FaultPoint.TASK_END, max = 3, sample = 4)
    void sampleAboveMax(SparkSession spark, FaultReport report) {}

    @FaultSweep(point = FaultPoint.TASK_END, rare = FaultPoint.SPILL_OPEN)
    void rareThatIsNoPoint(SparkSession spark, FaultReport report) {}

    @FaultSweep(point = FaultPoint.TASK_END, fault = "disk-full")
    void faultThatNoPointCarries(SparkSession spark, FaultReport report) {}

    @FaultSweep(
        point = {FaultPoint.TASK_END, FaultPoint.SPILL_WRITE},
        fault = "disk-full")
    void pointThatCarriesNoFault(SparkSession spark, FaultReport report) {}

    @FaultSweep(point = FaultPoint.MEMORY_ACQUIRE, fault = "{short-grant: {share: 7}}")
    void shareOfSeven(SparkSession spark, FaultReport report) {}

    @ChaosTest(
        seed = {},
        rules = "{point: task.end, fault: kill, when: {nth: 1}}")
    void noSeed(SparkSession spark, FaultReport report) {}

    @ChaosTest(rules = {})
    void noRules(SparkSession spark, FaultReport report) {}

    @ChaosTest(rules = "{point: task.end, fault: kill, when: {nth: 1}}", rare = 2)
    void rareRuleThatIsNone(SparkSession spark, FaultReport report) {}

    @ChaosTest(plan = "io/spillway/testing/dry-run.yaml")
    void dryRun(SparkSession spark, FaultReport report) {}

    @FaultSweep(point = FaultPoint.TASK_END)
    @ChaosTest(rules = "{point: task.end, fault: kill, when: {nth: 1}}")
    void both(SparkSession spark, FaultReport report) {}
  }

  /** Allows each thread. */
  @SpillwaySession(allowedThreads = "")
  static final class AnyThread {
    @FaultSweep(point = FaultPoint.TASK_END)
    void allowsAnyThread(SparkSession spark, FaultReport report) {}
  }

  /** Would not run in this JVM. */
  @SpillwaySession(conf = "spark.master=local-cluster[1,1,1024]")
  static final class OtherMaster {
    @FaultSweep(point = FaultPoint.TASK_END)
    void otherMaster(SparkSession spark, FaultReport report) {}
  }

  /** Its annotation changes nothing. */
  @FaultSweep
  static final class NoSweepInherited {
    @Test
    void passes() {}
  }

  /** Sound, and hard to tell from what is not. */
  @SpillwaySession(shufflePartitions = 3)
  static final class Sound {
    @FaultSweep(point = FaultPoint.TASK_END, max = 2)
    void nestedValues(SparkSession spark, FaultReport report) {
      report.result(
          spark.sql(
              """
              select id, array(cast('x' as binary)), struct(map(id, 'a', id + 1, 'b')),
                float('NaN'), double('-0.0'), cast(null as string)
              from range(0, 6, 1, 2)
              """));
    }

    @FaultSweep(point = FaultPoint.TASK_END, max = 2)
    void settingsOfEachRun(SparkSession spark, FaultReport report) {
      assertThat(spark.conf().get("spark.sql.shuffle.partitions")).isEqualTo("3");
      assertThat(spark.conf().contains("spark.sql.ansi.enabled")).isFalse();
      report.result(SweepCases.totals(spark));
      spark.conf().set("spark.sql.shuffle.partitions", 7);
      spark.conf().set("spark.sql.ansi.enabled", true);
    }

    @FaultSweep(
        point = FaultPoint.TASK_END,
        mode = {SweepMode.PERSISTENT, SweepMode.PERSISTENT},
        failsWith = Exception.class,
        max = 2)
    void failsWithAClassAboveTheRealOne(SparkSession spark, FaultReport report) {
      report.result(SweepCases.totals(spark));
    }

    @FaultSweep(point = FaultPoint.TASK_END, max = 1)
    void comparesNothing(SparkSession spark) {
      assertThat(SweepCases.totals(spark).count()).isEqualTo(7);
    }

    @FaultSweep(point = FaultPoint.TASK_END, max = 1)
    void manyRowsThatDifferInFloatsOnly(SparkSession spark, FaultReport report) {
      report.result(spark.range(0, 60_000, 1, 2).selectExpr("id / 7D"));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4})
    void parameterisedBesideIt(int rows, SparkSession spark) {
      assertThat(spark.range(rows).count()).isEqualTo(rows);
    }

    @Nested
    class Within {
      @FaultSweep(point = FaultPoint.TASK_END, max = 1)
      void nestedClass(SparkSession spark, FaultReport report) {
        assertThat(spark.conf().get("spark.sql.shuffle.partitions")).isEqualTo("3");
        report.result(SweepCases.totals(spark));
      }
    }
  }

  /** A job whose rows come in order. */
  @FaultSweep(point = FaultPoint.TASK_END, max = 2)
  static final class Ordered extends ResilienceSuite {
    @Override
    protected Dataset<Row> job(SparkSession spark) {
      return SweepCases.totals(spark).orderBy("k");
    }

    @Override
    protected boolean isOrdered() {
      return true;
    }
  }

  /** Fails before one of its invocations. */
  static final class FailsBefore {
    private static int times;

    @BeforeEach
    void failBeforeTheThird() {
      assertThat(++times).isNotEqualTo(3);
    }

    @FaultSweep(point = FaultPoint.TASK_END, max = 3)
    void before(SparkSession spark, FaultReport report) {
      report.result(SweepCases.totals(spark));
    }
  }

  /** Ends the JVM under one of its faults, as long as it is told to. */
  static final class Exits {
    @FaultSweep(point = FaultPoint.TASK_END)
    void exits(SparkSession spark, FaultReport report) {
      report.result(SweepCases.totals(spark));
      if (Boolean.getBoolean("spillway.case.exits")
          && report.fault().orElse("").contains(" s=0 p=1 ")) {
        System.exit(17);
      }
    }
  }

  /** With a Spark of its own, in parallel to others. */
  @SpillwaySession(shufflePartitions = 4)
  static final class OneOfMany {
    @FaultSweep(point = FaultPoint.TASK_END, max = 2)
    void first(SparkSession spark, FaultReport report) {
      assertThat(spark.conf().get("spark.sql.shuffle.partitions")).isEqualTo("4");
      report.result(SweepCases.totals(spark));
    }

    @Test
    void second(SparkSession spark) throws Throwable {
      SpillwayAssertions.assertNoNativeLeaks(() -> SweepCases.totals(spark).count());
    }
  }

  /** The same, with another Spark. */
  static final class AnotherOfMany {
    @FaultSweep(point = FaultPoint.TASK_END, max = 2)
    void first(SparkSession spark, FaultReport report) {
      assertThat(spark.conf().get("spark.sql.shuffle.partitions")).isEqualTo("2");
      report.result(SweepCases.totals(spark));
    }

    @ChaosTest(rules = "{point: task.start, fault: kill, when: {nth: 1}}")
    void second(SparkSession spark, FaultReport report) {
      report.result(SweepCases.totals(spark));
    }
  }

  /** Has nothing to do with Spark, and starts threads that last. */
  static final class Bystander {
    private static final List<Thread> STARTED = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void startsThreads(int number) {
      Thread thread = new Thread(() -> waitForEver(), "bystander-" + number);
      thread.setDaemon(true);
      thread.start();
      synchronized (STARTED) {
        STARTED.add(thread);
      }
    }
  }
}
