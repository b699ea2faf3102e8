package io.spillway.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.TaskCompletionListener;
import org.apache.spark.util.TaskFailureListener;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the scope relies on in the life of Spark's tasks, and what it does where that fails it. */
@Timeout(180)
class LifeCycleTest {
  private static JavaSparkContext spark;

  @BeforeAll
  static void start() {
    spark =
        new JavaSparkContext(
            new SparkConf()
                .setAppName("life-cycle")
                .setMaster("local[1,1]")
                .set("spark.plugins", LifeCyclePlugin.class.getName())
                .set("spark.memory.offHeap.enabled", "true")
                .set("spark.memory.offHeap.size", "4m"));
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @BeforeEach
  void forget() {
    LifeCyclePlugin.startFails = false;
    LifeCyclePlugin.CALLS.clear();
    LifeCyclePlugin.REPORTS.clear();
  }

  /** Holds a block that nobody closes; its listeners tell when they run. */
  private static Iterator<Integer> body(
      Iterator<Integer> rows, boolean fails, boolean listenersThrow) {
    TaskContext context = TaskContext.get();
    OperatorMemory memory =
        ExecutorMemory.installed().orElseThrow().task(context).operator("Body", null);
    memory.allocate(4096);
    context.addTaskCompletionListener(
        (TaskCompletionListener) ended -> LifeCyclePlugin.record("first listener"));
    context.addTaskCompletionListener(
        (TaskCompletionListener)
            ended -> {
              LifeCyclePlugin.record("second listener");
              if (listenersThrow) {
                throw new IllegalStateException("an operator's listener, says the test");
              }
            });
    context.addTaskFailureListener(
        (TaskFailureListener) (ended, failure) -> LifeCyclePlugin.record("failure listener"));
    if (fails) {
      throw new IllegalStateException("body, says the test");
    }
    return rows;
  }

  private static long job(boolean fails, boolean listenersThrow) {
    return spark
        .parallelize(List.of(1, 2, 3), 1)
        .mapPartitions(rows -> body(rows, fails, listenersThrow))
        .count();
  }

  private static TaskReport report() {
    await("the plugin hears of the task's end")
        .atMost(Duration.ofSeconds(60))
        .until(() -> LifeCyclePlugin.REPORTS.size() == 1);
    return LifeCyclePlugin.REPORTS.get(0);
  }

  private static void assertNothingHeld() {
    assertThat(ExecutorMemory.installed().orElseThrow().snapshot())
        .returns(0L, MemorySnapshot::usedBytes)
        .returns(0L, MemorySnapshot::reservedBytes)
        .returns(0, MemorySnapshot::openTasks);
    assertThat(SparkEnv.get().memoryManager().offHeapExecutionMemoryUsed()).isZero();
  }

  @Test
  void shouldFindTheOrderThatItReliesOnWhenATaskFails() {
    assertThatThrownBy(() -> job(true, false)).hasMessageContaining("body, says the test");

    assertThat(report().reclaimedBytes()).isEqualTo(4096);
    assertThat(LifeCyclePlugin.CALLS)
        .containsExactly(
            "onTaskStart, context, Spark empty, scope open, its thread",
            "failure listener, context, Spark holds, scope open, its thread",
            "second listener, context, Spark holds, scope open, its thread",
            "first listener, context, Spark holds, scope open, its thread",
            "onTaskFailed, no context, Spark empty, scope closed, its thread");
    assertNothingHeld();
  }

  @Test
  void shouldFindTheOrderThatItReliesOnWhenATaskSucceeds() {
    assertThat(job(false, false)).isEqualTo(3);

    assertThat(report().leakedBytes()).isEqualTo(4096);
    assertThat(LifeCyclePlugin.CALLS)
        .containsExactly(
            "onTaskStart, context, Spark empty, scope open, its thread",
            "second listener, context, Spark holds, scope open, its thread",
            "first listener, context, Spark holds, scope open, its thread",
            "onTaskSucceeded, no context, Spark empty, scope closed, its thread");
    assertNothingHeld();
  }

  @Test
  void shouldOpenTheScopeLateWhenOnTaskStartThrew() {
    LifeCyclePlugin.startFails = true;

    assertThat(job(false, false)).as("Spark goes on as if nothing had happened").isEqualTo(3);

    assertThat(report().leakedBytes()).isEqualTo(4096);
    assertThat(LifeCyclePlugin.CALLS)
        .startsWith("onTaskStart throws")
        .endsWith("onTaskSucceeded, no context, Spark empty, scope closed, its thread");
    assertNothingHeld();
  }

  @Test
  void shouldFreeEverythingWhenAnOperatorsListenerThrows() {
    assertThatThrownBy(() -> job(false, true)).hasMessageContaining("an operator's listener");

    assertThat(report().reclaimedBytes() + report().leakedBytes()).isEqualTo(4096);
    assertThat(LifeCyclePlugin.CALLS)
        .contains("first listener, context, Spark holds, scope open, its thread")
        .endsWith("onTaskFailed, no context, Spark empty, scope closed, its thread");
    assertNothingHeld();
  }
}
