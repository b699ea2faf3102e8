package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.spillway.memory.event.MemoryEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskKilledException;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What tasks share is built once, counted by Spark and by us, and goes when nobody uses it. */
@Timeout(120)
class SharedMemoryTest {
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  /** A table of one block whose first eight bytes say what it is. */
  private record Table(long address, long bytes) {
    static Table build(SharedRegion region, long bytes, long content) {
      long address = region.allocate(bytes);
      Platform.putLong(null, address, content);
      return new Table(address, bytes);
    }

    long content() {
      return Platform.getLong(null, address);
    }
  }

  private static SharedLease<Table> lease(Fixture fixture, TaskMemory task, String key, long mib) {
    return fixture
        .executor
        .shared()
        .lease(key, Table.class, task, region -> Table.build(region, mib * MIB, mib));
  }

  private static void assertNothing(Fixture fixture) {
    assertThat(fixture.executor.snapshot())
        .returns(0L, MemorySnapshot::usedBytes)
        .returns(0L, MemorySnapshot::blocks)
        .returns(0L, MemorySnapshot::sharedBytes);
    assertThat(fixture.spark.offHeapStorageMemoryUsed()).isZero();
    assertThat(fixture.sparkBytes()).isZero();
  }

  @Test
  void shouldBuildOnceAndStayForTheNextTaskUntilSomebodyNeedsTheRoom() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      AtomicInteger builds = new AtomicInteger();
      for (int i = 0; i < 3; i++) {
        SparkTask task = fixture.task();
        TaskMemory memory = fixture.executor.openTask(task.context());
        SharedLease<Table> lease =
            fixture
                .executor
                .shared()
                .lease(
                    "broadcast 7",
                    Table.class,
                    memory,
                    region -> {
                      builds.incrementAndGet();
                      return Table.build(region, 3 * MIB, 7);
                    });
        assertThat(lease.value().content()).isEqualTo(7);
        assertThat(fixture.executor.shared().evictUnused(Long.MAX_VALUE)).as("in use").isZero();
        task.complete();
        assertThatThrownBy(lease::value).isInstanceOf(IllegalStateException.class);
      }
      assertThat(builds).hasValue(1);
      assertThat(fixture.executor.snapshot())
          .returns(3 * MIB, MemorySnapshot::usedBytes)
          .returns(3 * MIB, MemorySnapshot::sharedBytes)
          .returns(0L, MemorySnapshot::leakedBytes)
          .returns(
              List.of("executor / broadcast 7 3145728 bytes in 1 block"), MemorySnapshot::owners);
      assertThat(fixture.spark.offHeapStorageMemoryUsed()).isEqualTo(3 * MIB);

      SparkTask hungry = fixture.task();
      PagedState state =
          new PagedState(() -> {}).open(fixture.executor.openTask(hungry.context()), "Sort");
      for (int i = 0; i < 6; i++) {
        state.grow(1 * MIB);
      }

      assertThat(state.spills()).as("what nobody uses goes before anybody spills").isZero();
      assertThat(fixture.executor.snapshot().sharedBytes()).isZero();
      state.memory().close();
      hungry.complete();
      assertNothing(fixture);
    }
  }

  @Test
  void shouldEvictTheLeastRecentlyUsedForWhatIsNew() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      lease(fixture, memory, "a", 3).close();
      lease(fixture, memory, "b", 3).close();
      lease(fixture, memory, "a", 3).close();

      SharedLease<Table> lease = lease(fixture, memory, "c", 4);

      assertThat(fixture.executor.snapshot().owners())
          .containsExactlyInAnyOrder(
              "executor / a 3145728 bytes in 1 block", "executor / c 4194304 bytes in 1 block");
      lease.close();
      fixture.executor.shared().forget("a");
      fixture.executor.shared().forget("c");
      fixture.executor.shared().forget("never there");
      task.complete();
      assertNothing(fixture);
    }
  }

  @Test
  void shouldFailTheTaskOnlyWhenThereIsNoRoom() {
    try (Fixture fixture = new Fixture(4 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());

      Throwable failure = catchThrowable(() -> lease(fixture, memory, "large", 5));

      assertThat(failure)
          .isInstanceOf(SparkOutOfMemoryError.class)
          .hasNoCause()
          .hasMessageContaining("large")
          .hasMessageContaining("5242880 bytes asked for")
          .hasMessageContaining("spark.memory.offHeap.size=4194304");
      assertNothing(fixture);
      lease(fixture, memory, "large", 2).close();
      task.fail(failure);
      assertThat(fixture.executor.shared().evictUnused(1)).isEqualTo(2 * MIB);
      assertNothing(fixture);
    }
  }

  @Test
  void shouldFreeWhatAFailedBuildHadTakenAndLetTheNextTaskBuild() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask first = fixture.task();
      SparkTask second = fixture.task();
      CountDownLatch building = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      CompletableFuture<Void> failing =
          CompletableFuture.runAsync(
              () -> {
                TaskMemory memory = fixture.executor.openTask(first.context());
                fixture
                    .executor
                    .shared()
                    .lease(
                        "table",
                        Table.class,
                        memory,
                        region -> {
                          region.allocate(64 * KIB);
                          building.countDown();
                          await("the test").until(() -> goOn.getCount() == 0);
                          throw new IllegalStateException("the builder, says the test");
                        });
              },
              threads);
      await("it builds").until(() -> building.getCount() == 0);
      CompletableFuture<Long> waiting =
          CompletableFuture.supplyAsync(
              () -> {
                TaskMemory memory = fixture.executor.openTask(second.context());
                try (SharedLease<Table> lease = lease(fixture, memory, "table", 2)) {
                  return lease.value().content();
                }
              },
              threads);
      assertThat(waiting).isNotDone();

      goOn.countDown();

      assertThat(waiting.join()).as("built by the second task").isEqualTo(2);
      assertThatThrownBy(failing::join).hasMessageContaining("the builder, says the test");
      assertThat(fixture.executor.snapshot().usedBytes()).isEqualTo(2 * MIB);
      first.fail(new IllegalStateException("boom"));
      second.complete();
      fixture.executor.shared().evictUnused(1);
      assertNothing(fixture);
    }
  }

  @Test
  void shouldEndAKilledTaskThatWaitsForAnothersBuild() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask builder = fixture.task();
      SparkTask killed = fixture.task();
      CountDownLatch goOn = new CountDownLatch(1);
      CompletableFuture<Void> building =
          CompletableFuture.runAsync(
              () ->
                  fixture
                      .executor
                      .shared()
                      .lease(
                          "slow",
                          Table.class,
                          fixture.executor.openTask(builder.context()),
                          region -> {
                            await("the test").until(() -> goOn.getCount() == 0);
                            return Table.build(region, 1 * MIB, 1);
                          }),
              threads);
      SharedMemory shared = fixture.executor.shared();
      await("it builds").until(() -> fixture.executor.snapshot().openTasks() == 1);
      TaskMemory memory = fixture.executor.openTask(killed.context());
      await("the builder came first").until(() -> shared.isKnown("slow"));
      killed.kill();

      assertThatThrownBy(() -> lease(fixture, memory, "slow", 1))
          .isInstanceOf(TaskKilledException.class);

      goOn.countDown();
      building.join();
      killed.fail(new TaskKilledException("killed by the test"));
      builder.complete();
      assertThat(shared.evictUnused(1)).as("no lease is left behind").isEqualTo(1 * MIB);
      assertNothing(fixture);
    }
  }

  /** The end of a task waits for its helpers, and interrupts them only later. */
  @Test
  void shouldNotLetAHelperHoldUpTheEndOfItsTaskWhenItWaitsForAnothersBuild() {
    SparkConf conf = SparkTask.conf(8 * MIB).set(MemorySettings.HELPER_WAIT, "60s");
    try (Fixture fixture = new Fixture(conf, new PageSource())) {
      SharedMemory shared = fixture.executor.shared();
      SparkTask builder = fixture.task();
      CountDownLatch goOn = new CountDownLatch(1);
      CompletableFuture<Void> building =
          CompletableFuture.runAsync(
              () ->
                  shared.lease(
                      "slow",
                      Table.class,
                      fixture.executor.openTask(builder.context()),
                      region -> {
                        await("the test").until(() -> goOn.getCount() == 0);
                        return Table.build(region, 1 * MIB, 1);
                      }),
              threads);
      await("it builds").until(() -> shared.isKnown("slow"));
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      CompletableFuture<Throwable> helper =
          CompletableFuture.supplyAsync(
              () ->
                  memory.onHelperThread(
                      () -> catchThrowable(() -> lease(fixture, memory, "slow", 1)), null),
              threads);
      await("the helper is inside").until(() -> !memory.helpers().names().isEmpty());

      CompletableFuture<Void> end = CompletableFuture.runAsync(task::complete, threads);

      await("the end is not held up").atMost(Duration.ofSeconds(5)).until(end::isDone);
      assertThat(helper.join())
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("task 13 has ended while another task builds slow");
      goOn.countDown();
      building.join();
      builder.complete();
      assertThat(shared.evictUnused(1)).as("no lease is left behind").isEqualTo(1 * MIB);
      assertNothing(fixture);
    }
  }

  @Test
  void shouldRefuseALeaseToATaskThatHasEnded() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      task.complete();

      assertThatThrownBy(() -> lease(fixture, memory, "late", 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("has ended");

      assertThat(fixture.executor.shared().evictUnused(1)).isEqualTo(1 * MIB);
      assertNothing(fixture);
    }
  }

  @Test
  void shouldKeepWhatIsUsedWhenItIsForgottenAndFreeItWithTheLastLease() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      SharedLease<Table> lease = lease(fixture, memory, "table", 1);

      fixture.executor.shared().forget("table");

      assertThat(lease.value().content()).isEqualTo(1);
      assertThat(fixture.spark.offHeapStorageMemoryUsed()).isEqualTo(1 * MIB);
      List<SharedLease<Table>> again = new ArrayList<>();
      again.add(lease(fixture, memory, "table", 2));
      assertThat(again.get(0).value().content()).as("built anew").isEqualTo(2);
      lease.close();
      assertThat(fixture.spark.offHeapStorageMemoryUsed()).isEqualTo(2 * MIB);
      task.complete();
      assertThat(fixture.heard(MemoryEvent.Leaked.class)).isEmpty();
      fixture.executor.shared().forget("table");
      assertNothing(fixture);
    }
  }

  /** Frees, and says once that it did not. */
  private static final class FailingPages extends PageSource {
    private final AtomicInteger failures = new AtomicInteger();

    @Override
    void free(long address, long bytes) {
      super.free(address, bytes);
      if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new IllegalStateException("failed by the test");
      }
    }
  }

  @Test
  void shouldFreeWhatElseEndedQueriesHaveUsedWhenFreeingOneFails() {
    FailingPages pages = new FailingPages();
    try (Fixture fixture = new Fixture(SparkTask.conf(8 * MIB), pages)) {
      SparkTask task = fixture.task().ofQuery(3);
      TaskMemory open = fixture.executor.openTask(task.context());
      for (String key : List.of("first", "second", "third")) {
        lease(fixture, open, key, 1).close();
      }
      task.complete();
      pages.failures.set(1);
      assertThatThrownBy(() -> fixture.executor.shared().evictUnusedOf(Set.of("3")))
          .hasMessage("failed by the test");
      assertThat(pages.failures).hasValue(0);
      // The books still have the block of which nobody knows what became, and no other.
      assertThat(fixture.executor.snapshot().sharedBytes()).isEqualTo(MIB);
      assertThat(fixture.spark.offHeapStorageMemoryUsed()).isZero();
    }
  }

  @Test
  void shouldFreeWhatTasksOfNoQueryHaveUsedWhenNoneDoesForSomeTime() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SharedMemory shared = fixture.executor.shared();
      SparkTask query = fixture.task().ofQuery(3);
      SparkTask none = fixture.task();
      TaskMemory ofNone = fixture.executor.openTask(none.context());
      lease(fixture, fixture.executor.openTask(query.context()), "the query's", 1).close();
      SharedLease<Table> used = lease(fixture, ofNone, "used", 1);
      lease(fixture, ofNone, "idle", 1).close();

      assertThat(shared.evictIdle(Duration.ofHours(1))).isZero();
      assertThat(shared.evictIdle(Duration.ZERO)).isEqualTo(MIB);
      assertThat(shared.isKnown("idle")).isFalse();
      assertThat(shared.isKnown("used")).isTrue();
      assertThat(shared.isKnown("the query's")).isTrue();

      used.close();
      assertThat(shared.evictIdle(Duration.ofHours(1))).isZero();
      assertThat(shared.evictIdle(Duration.ZERO)).isEqualTo(MIB);
      assertThat(shared.usedBytes()).isEqualTo(MIB);
      query.complete();
      none.complete();
    }
  }

  @Test
  void shouldFreeWhatOnlyEndedQueriesHaveUsedAndNoTaskUses() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SharedMemory shared = fixture.executor.shared();
      SparkTask first = fixture.task().ofQuery(3);
      SparkTask second = fixture.task().ofQuery(4);
      SparkTask none = fixture.task();
      SharedLease<Table> both =
          lease(fixture, fixture.executor.openTask(first.context()), "both", 1);
      lease(fixture, fixture.executor.openTask(second.context()), "both", 1).close();
      lease(fixture, fixture.executor.openTask(second.context()), "second's", 1).close();
      lease(fixture, fixture.executor.openTask(none.context()), "nobody's", 1).close();

      assertThat(shared.queriesOfUnused()).containsExactly("4");
      assertThat(shared.evictUnusedOf(Set.of("3", "4"))).isEqualTo(MIB);
      assertThat(shared.isKnown("second's")).isFalse();
      both.close();
      assertThat(shared.queriesOfUnused()).containsExactlyInAnyOrder("3", "4");
      assertThat(shared.evictUnusedOf(Set.of("4"))).isZero();
      assertThat(shared.evictUnusedOf(Set.of("3", "4"))).isEqualTo(MIB);
      // No query, so none that could end: until somebody needs the room.
      assertThat(shared.queriesOfUnused()).isEmpty();
      assertThat(shared.isKnown("nobody's")).isTrue();
      assertThat(shared.evictUnused(1)).isEqualTo(MIB);
      for (SparkTask task : List.of(first, second, none)) {
        task.complete();
      }
      assertNothing(fixture);
    }
  }
}
