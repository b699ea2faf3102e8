package io.spillway.testing;

import static io.spillway.testing.SpillwayAssertions.assertNoNativeLeaks;
import static io.spillway.testing.SpillwayAssertions.executorIsClean;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spillway.memory.ExecutorMemory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The assertions in a test of its own kind, with the managed session. */
@SpillwaySession
class SpillwayAssertionsTest {
  private static final String PATIENCE = "spillway.testing.patienceSeconds";
  private static CountDownLatch release;
  private static CountDownLatch holding;

  @BeforeAll
  static void beImpatient() {
    System.setProperty(PATIENCE, "2");
  }

  @AfterAll
  static void forget() {
    System.clearProperty(PATIENCE);
  }

  @Test
  void shouldPassWhenAJobGivesEverythingBack(SparkSession spark) throws Throwable {
    assertNoNativeLeaks(() -> assertThat(SweepCases.totals(spark).count()).isEqualTo(7));
    await("the executor is clean").atMost(Duration.ofSeconds(20)).untilAsserted(executorIsClean());
  }

  @Test
  void shouldFailWhenATaskLeaksNativeMemory(SparkSession spark) {
    assertThatThrownBy(() -> assertNoNativeLeaks(() -> task(spark, false)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("left behind: 4096 bytes that successful tasks leaked");
  }

  @Test
  void shouldThrowWhatTheBodyThrowsWithWhatItLeft(SparkSession spark) {
    assertThatThrownBy(
            () ->
                assertNoNativeLeaks(
                    () -> {
                      task(spark, false);
                      throw new IllegalStateException("of the body");
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("of the body")
        .satisfies(
            thrown ->
                assertThat(thrown.getSuppressed()[0])
                    .hasMessageContaining("that successful tasks leaked"));
  }

  @Test
  void shouldSayWhatIsHeldWhileATaskHoldsIt(SparkSession spark) throws Exception {
    release = new CountDownLatch(1);
    holding = new CountDownLatch(1);
    Thread job = new Thread(() -> task(spark, true), "job of a test");
    job.start();
    holding.await();
    assertThatThrownBy(() -> executorIsClean().run())
        .hasMessageContaining("the executor is not clean: ")
        .hasMessageContaining("4096 bytes in 1 blocks of Spillway's ledger")
        .hasMessageContaining("bytes of Spark's execution memory");
    release.countDown();
    job.join();
  }

  @Test
  void shouldFailWhenNoSparkIsLeftToLookAt(SparkSession spark) {
    assertThatThrownBy(() -> assertNoNativeLeaks(spark::stop))
        .hasMessageContaining("no Spark runs in this JVM at the end");
  }

  /** Allocates and does not give back; what still waits for is freed with its task. */
  private static void task(SparkSession spark, boolean waits) {
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
              if (waits) {
                holding.countDown();
                release.await();
              }
            });
  }
}
