package io.spillway.memory;

import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whoever uses shared memory wrongly, or at a bad moment, leaves nothing behind and hangs nobody.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedMisuseTest {
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  private static SharedLease<Long> lease(Fixture fixture, TaskMemory task, String key) {
    return fixture
        .executor
        .shared()
        .lease(key, Long.class, task, region -> region.allocate(1 * MIB));
  }

  private static void assertNothing(Fixture fixture) {
    assertThat(fixture.executor.snapshot())
        .returns(0L, MemorySnapshot::usedBytes)
        .returns(0L, MemorySnapshot::sharedBytes);
    assertThat(fixture.spark.offHeapStorageMemoryUsed()).isZero();
  }

  @Test
  void shouldNotKeepWhatWasAskedForByAWrongType() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      lease(fixture, memory, "table").close();

      assertThatThrownBy(
              () ->
                  fixture
                      .executor
                      .shared()
                      .lease("table", String.class, memory, region -> "never built"))
          .isInstanceOf(ClassCastException.class);

      task.fail(new IllegalStateException("boom"));
      assertThat(fixture.executor.shared().evictUnused(1)).as("nobody uses it").isEqualTo(1 * MIB);
      assertNothing(fixture);
    }
  }

  @Test
  void shouldCountWhatIsForgottenAsLongAsItIsUsed() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      lease(fixture, memory, "table");

      fixture.executor.shared().forget("table");

      assertThat(fixture.executor.snapshot())
          .returns(1 * MIB, MemorySnapshot::usedBytes)
          .returns(1 * MIB, MemorySnapshot::sharedBytes);
      task.complete();
      assertNothing(fixture);
    }
  }

  @Test
  void shouldFreeWithTheLastLeaseWhenTheExecutorHasEnded() {
    Fixture fixture = new Fixture(8 * MIB);
    SparkTask task = fixture.task();
    TaskMemory memory = fixture.executor.openTask(task.context());
    lease(fixture, memory, "table");

    fixture.executor.close();

    assertThat(fixture.executor.snapshot().sharedBytes()).as("in use").isEqualTo(1 * MIB);
    lease(fixture, memory, "late");
    task.complete();
    assertNothing(fixture);
  }

  @Test
  void shouldFailTheBuilderThatAsksForWhatItBuilds() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());

      assertThatThrownBy(
              () ->
                  fixture
                      .executor
                      .shared()
                      .lease(
                          "table",
                          Long.class,
                          memory,
                          region -> {
                            region.allocate(1 * MIB);
                            return lease(fixture, memory, "table").value();
                          }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("table");

      task.fail(new IllegalStateException("boom"));
      assertNothing(fixture);
    }
  }

  @Test
  void shouldFailOneOfTwoBuildersThatAskForEachOthersAndLetTheOtherGoOn() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask first = fixture.task();
      SparkTask second = fixture.task();
      CyclicBarrier bothBuild = new CyclicBarrier(2);
      CompletableFuture<Boolean> one = builds(fixture, first, "a", "b", bothBuild);
      CompletableFuture<Boolean> other = builds(fixture, second, "b", "a", bothBuild);

      await("both end").until(() -> one.isDone() && other.isDone());

      assertThat(one.join() || other.join()).as("one went on").isTrue();
      assertThat(one.join() && other.join()).as("and one failed").isFalse();
      fixture.executor.shared().evictUnused(Long.MAX_VALUE);
      assertNothing(fixture);
    }
  }

  /** Whether a task could build what needs another's, both of them being under way. */
  private CompletableFuture<Boolean> builds(
      Fixture fixture, SparkTask task, String key, String needed, CyclicBarrier bothBuild) {
    return CompletableFuture.supplyAsync(
        () -> {
          TaskMemory memory = fixture.executor.openTask(task.context());
          try {
            fixture
                .executor
                .shared()
                .lease(
                    key,
                    Long.class,
                    memory,
                    region -> {
                      meet(bothBuild);
                      lease(fixture, memory, needed);
                      return region.allocate(1 * MIB);
                    });
            task.complete();
            return true;
          } catch (IllegalStateException circle) {
            task.fail(circle);
            return false;
          }
        },
        threads);
  }

  private static void meet(CyclicBarrier barrier) {
    try {
      barrier.await(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalArgumentException("the other builder did not come", e);
    }
  }
}
