package io.spillway.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.chaos.ChaosController;
import io.spillway.chaos.FaultPoint;
import io.spillway.memory.ExecutorMemory;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/** Tests for {@link LaunchedTests} to run: none of them is one of this build's. */
final class SweepCases {
  private SweepCases() {}

  /** A small aggregation in two stages of two tasks. */
  static Dataset<Row> totals(SparkSession spark) {
    return spark
        .range(0, 2000, 1, 2)
        .selectExpr("id % 7 as k", "id as v", "id / 3.0D as d")
        .groupBy("k")
        .agg(functions.sum("v"), functions.avg("d"));
  }

  /** Nothing is wrong here. */
  static final class Sound {
    @FaultSweep(
        point = {FaultPoint.NATIVE_ALLOC, FaultPoint.TASK_END},
        mode = {SweepMode.ONE_SHOT, SweepMode.PERSISTENT},
        max = 8)
    void everyCall(SparkSession spark, FaultReport report, ChaosController chaos) {
      assertThat(report.result(totals(spark))).hasSize(7);
      assertThat(chaos.plan().rules()).isNotEmpty();
    }

    @FaultSweep(
        point = {FaultPoint.TASK_START, FaultPoint.SPILL_OPEN},
        rare = FaultPoint.SPILL_OPEN)
    void rarePoint(SparkSession spark, FaultReport report) {
      report.result(totals(spark));
    }

    @ChaosTest(
        seed = {5, 6},
        rules = "{point: task.start, fault: kill, when: {nth: 1}, where: {partition: 1}}")
    void plan(SparkSession spark, FaultReport report) {
      report.result(totals(spark));
    }

    @ChaosTest(plan = "io/spillway/testing/plan.yaml")
    void planOfTheClassPath(SparkSession spark, FaultReport report) {
      report.result(totals(spark));
    }
  }

  /** A job without Spillway. */
  @SpillwaySession(plugin = false, offHeap = "")
  @FaultSweep(max = 6, seed = 3)
  static final class OnPlainSpark extends ResilienceSuite {
    @Override
    protected Dataset<Row> job(SparkSession spark) {
      return totals(spark);
    }
  }

  /** Fails while {@link #broken}, under the fault of one task only. */
  static final class Remembered {
    static volatile boolean broken;

    @FaultSweep(point = FaultPoint.TASK_END)
    void breaks(SparkSession spark, FaultReport report) {
      report.result(totals(spark));
      assertThat(broken && report.fault().orElse("").contains(" s=0 p=1 ")).isFalse();
    }
  }

  /** Each method has one defect, and its sweep must find it. */
  static final class Defects {
    private static final List<InputStream> KEPT_OPEN = new ArrayList<>();
    private static int runs;
    private static int numbers;

    @FaultSweep(point = FaultPoint.TASK_END, max = 1)
    void wrongResult(SparkSession spark, FaultReport report) {
      report.result(report.fault().isPresent() ? spark.range(3).toDF() : totals(spark));
    }

    @FaultSweep(point = FaultPoint.TASK_END, max = 1)
    void wrongResultAfterwards(SparkSession spark, FaultReport report) {
      // The third run is the one with the fault, the fourth the one after it.
      report.result(++runs == 4 ? spark.range(3).toDF() : totals(spark));
    }

    @FaultSweep(point = FaultPoint.TASK_END, max = 1)
    void leftFile(SparkSession spark, FaultReport report) throws IOException {
      report.result(totals(spark));
      if (report.fault().isPresent()) {
        File directory = SparkEnv.get().blockManager().diskBlockManager().localDirs()[0];
        Path bucket = Files.createDirectories(directory.toPath().resolve("0a"));
        Files.createFile(bucket.resolve("temp_local_" + UUID.randomUUID()));
      }
    }

    @FaultSweep(point = FaultPoint.TASK_END, max = 1)
    void leftDescriptor(SparkSession spark, FaultReport report) throws IOException {
      report.result(totals(spark));
      if (report.fault().isPresent()) {
        KEPT_OPEN.add(Files.newInputStream(Files.createTempFile("left", ".data")));
      }
    }

    @FaultSweep(point = FaultPoint.TASK_END, max = 1)
    void leftThread(SparkSession spark, FaultReport report) {
      report.result(totals(spark));
      if (report.fault().isPresent()) {
        Thread thread = new Thread(() -> awaitForever(), "left-behind");
        thread.setDaemon(true);
        thread.start();
      }
    }

    private static void awaitForever() {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @FaultSweep(point = FaultPoint.TASK_END, max = 1)
    void leftNativeMemory(SparkSession spark, FaultReport report) {
      report.result(totals(spark));
      if (report.fault().isPresent()) {
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(List.of(1), 1)
            .foreach(
                one -> {
                  var unused =
                      ExecutorMemory.installed()
                          .orElseThrow()
                          .task(TaskContext.get())
                          .operator("Hoard", null)
                          .allocate(4096);
                });
      }
    }

    @FaultSweep(point = FaultPoint.TASK_END, max = 1)
    void otherError(SparkSession spark, FaultReport report) {
      report.result(totals(spark));
      if (report.fault().isPresent()) {
        throw new IllegalStateException("something else");
      }
    }

    @FaultSweep(point = FaultPoint.TASK_END, max = 1)
    void fatalError(SparkSession spark, FaultReport report) {
      report.result(totals(spark));
      if (report.fault().isPresent()) {
        throw new IllegalStateException("injected failure", new OutOfMemoryError("plain"));
      }
    }

    @FaultSweep(
        point = FaultPoint.TASK_END,
        mode = SweepMode.PERSISTENT,
        max = 1,
        message = "spark.memory.offHeap.size")
    void otherMessage(SparkSession spark, FaultReport report) {
      report.result(totals(spark));
    }

    @FaultSweep(point = {FaultPoint.TASK_END, FaultPoint.SPILL_OPEN})
    void unreached(SparkSession spark, FaultReport report) {
      report.result(totals(spark));
    }

    @FaultSweep(point = FaultPoint.TASK_END)
    void unrepeatable(SparkSession spark, FaultReport report) {
      report.result(spark.range(++numbers).toDF());
    }

    @FaultSweep(point = FaultPoint.EXECUTOR_EXIT)
    void endsTheJvm(SparkSession spark, FaultReport report) {
      report.result(totals(spark));
    }

    @ChaosTest(
        rules = {
          "{point: task.start, fault: kill, when: {nth: 1}}",
          "{point: task.end, fault: kill, when: {nth: 1}, where: {partition: 77}}"
        })
    void neverFires(SparkSession spark, FaultReport report) {
      report.result(totals(spark));
    }

    @ChaosTest(
        seed = 9,
        rules = "{point: task.start, fault: exception, when: {nth: 1}, where: {attempts: all}}")
    void assertionOfTheTest(SparkSession spark, FaultReport report) {
      assertThat(report.fault()).isEmpty();
      report.result(totals(spark));
    }
  }
}
