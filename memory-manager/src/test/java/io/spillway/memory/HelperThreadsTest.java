package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spillway.memory.event.MemoryEvent;
import io.spillway.memory.guard.ContainerGuard;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.UnifiedMemoryManager;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.TestBlockId;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.util.TaskCompletionListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of a task never frees memory under a thread that still uses it. */
@Timeout(120)
class HelperThreadsTest {
  private final ExecutorService threads =
      Executors.newCachedThreadPool(work -> new Thread(work, "helper of the test"));

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  private static Fixture fixture(String helperWait) {
    return new Fixture(
        SparkTask.conf(8 * MIB).set(MemorySettings.HELPER_WAIT, helperWait), new PageSource());
  }

  /** A step that stays inside until it is let go, deaf to interrupts, and then uses the block. */
  private static final class Stubborn {
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch leave = new CountDownLatch(1);
    private final AtomicBoolean interrupted = new AtomicBoolean();
    private final NativeBlock block;

    Stubborn(NativeBlock block) {
      this.block = block;
    }

    Long step() {
      inside.countDown();
      while (leave.getCount() > 0) {
        try {
          leave.await();
        } catch (InterruptedException e) {
          interrupted.set(true);
        }
      }
      Platform.putLong(null, block.address(), 42);
      return Platform.getLong(null, block.address());
    }

    void awaitInside() {
      await("the helper is inside").until(() -> inside.getCount() == 0);
    }
  }

  @Test
  void shouldWaitForTheStepUnderWayBeforeItFrees() {
    try (Fixture fixture = fixture("60s")) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      Stubborn helper = new Stubborn(memory.operator("Scan", null).allocate(64 * KIB));
      CompletableFuture<Long> read =
          CompletableFuture.supplyAsync(() -> memory.onHelperThread(helper::step, -1L), threads);
      helper.awaitInside();
      AtomicReference<Thread> ending = new AtomicReference<>();
      CompletableFuture<Boolean> ended =
          CompletableFuture.supplyAsync(
              () -> {
                ending.set(Thread.currentThread());
                task.fail(new IllegalStateException("boom"));
                return Thread.interrupted();
              },
              threads);
      await("the end waits")
          .until(
              () -> ending.get() != null && ending.get().getState() == Thread.State.TIMED_WAITING);

      ending.get().interrupt();

      await("the end has taken the interrupt and waits on")
          .until(
              () ->
                  !ending.get().isInterrupted()
                      && ending.get().getState() == Thread.State.TIMED_WAITING);
      assertThat(fixture.executor.snapshot().usedBytes()).isEqualTo(64 * KIB);
      helper.leave.countDown();
      assertThat(read.join()).isEqualTo(42);
      assertThat(ended.join()).as("the interrupt is kept for later").isTrue();
      assertThat(helper.interrupted).isFalse();
      assertThat(fixture.executor.snapshot().usedBytes()).isZero();
      assertThat(fixture.executor.snapshot().reclaimedBytes()).isEqualTo(64 * KIB);
      assertThat(fixture.heard(MemoryEvent.Quarantined.class)).isEmpty();
      assertThat(task.sparkCleansUp()).isZero();
    }
  }

  @Test
  void shouldBeginNoStepAfterTheEnd() {
    try (Fixture fixture = fixture("60s")) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      task.complete();

      Boolean begun =
          CompletableFuture.supplyAsync(
                  () -> memory.onHelperThread(() -> Boolean.TRUE, Boolean.FALSE), threads)
              .join();

      assertThat(begun).isFalse();
    }
  }

  @Test
  void shouldKeepTheMemoryOfAThreadThatDoesNotEndAndFreeItAfterwards() {
    try (Fixture fixture = fixture("50ms")) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      OperatorMemory scan = memory.operator("Scan", null);
      Stubborn helper = new Stubborn(scan.allocate(64 * KIB));
      CompletableFuture<Long> read =
          CompletableFuture.supplyAsync(() -> memory.onHelperThread(helper::step, -1L), threads);
      helper.awaitInside();

      task.fail(new IllegalStateException("boom"));

      assertThat(helper.interrupted).as("it was asked to end").isTrue();
      assertThat(task.sparkCleansUp()).as("the reservation went back all the same").isZero();
      assertThat(fixture.sparkBytes()).isZero();
      assertThat(fixture.spark.offHeapStorageMemoryUsed())
          .as("Spark counts what is kept in its storage pool")
          .isEqualTo(64 * KIB);
      assertThat(fixture.executor.snapshot())
          .returns(64 * KIB, MemorySnapshot::usedBytes)
          .returns(64 * KIB, MemorySnapshot::quarantinedBytes)
          .returns(0L, MemorySnapshot::reclaimedBytes)
          .returns(0, MemorySnapshot::openTasks);
      assertThat(fixture.heard(MemoryEvent.Quarantined.class))
          .containsExactly(
              new MemoryEvent.Quarantined(12, "Scan", 64 * KIB, 1, List.of("helper of the test")));
      assertThatThrownBy(() -> scan.allocate(1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");

      helper.leave.countDown();

      assertThat(read.join()).as("it used its memory to the end").isEqualTo(42);
      await("the last to leave frees")
          .untilAsserted(
              () ->
                  assertThat(fixture.heard(MemoryEvent.QuarantineEnded.class))
                      .singleElement()
                      .returns(64 * KIB, MemoryEvent.QuarantineEnded::bytes));
      assertThat(fixture.executor.snapshot())
          .returns(0L, MemorySnapshot::usedBytes)
          .returns(0L, MemorySnapshot::quarantinedBytes)
          .returns(64 * KIB, MemorySnapshot::reclaimedBytes);
      assertThat(fixture.spark.offHeapStorageMemoryUsed()).isZero();
      assertThat(memory.arrowRoot().getAllocatedMemory()).isZero();
    }
  }

  /** The operator's own listener must not free what a thread uses, and nobody calls it again. */
  @Test
  void shouldCallItNoLeakWhenAHelperKeptAnOperatorFromClosingAndLeftBeforeTheScopeEnds() {
    try (Fixture fixture = fixture("50ms")) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      OperatorMemory scan = memory.operator("Scan", null);
      Stubborn helper = new Stubborn(scan.allocate(64 * KIB));
      CompletableFuture<Long> read =
          CompletableFuture.supplyAsync(() -> memory.onHelperThread(helper::step, -1L), threads);
      AtomicBoolean alone = new AtomicBoolean(true);
      task.context()
          .addTaskCompletionListener(
              (TaskCompletionListener)
                  ended -> {
                    alone.set(memory.awaitHelpers());
                    helper.leave.countDown();
                    await("the helper has left").until(() -> memory.helpers().names().isEmpty());
                  });
      helper.awaitInside();

      task.complete();

      assertThat(alone).as("the operator could have closed").isFalse();
      assertThat(read.join()).isEqualTo(42);
      assertThat(fixture.heard(MemoryEvent.Leaked.class)).isEmpty();
      assertThat(fixture.heard(MemoryEvent.Reclaimed.class))
          .containsExactly(new MemoryEvent.Reclaimed(12, "Scan", 64 * KIB, 1));
      assertThat(fixture.executor.snapshot())
          .returns(0L, MemorySnapshot::leakedBytes)
          .returns(64 * KIB, MemorySnapshot::reclaimedBytes)
          .returns(0L, MemorySnapshot::usedBytes);
      assertThat(task.sparkCleansUp()).isZero();
    }
  }

  @Test
  void shouldTellTheQuarantineEvenIfSparkDoesNotCountIt() {
    try (Fixture fixture = fixture("0ms")) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      Stubborn helper = new Stubborn(memory.operator("Scan", null).allocate(1 * MIB));
      CompletableFuture<Long> read =
          CompletableFuture.supplyAsync(() -> memory.onHelperThread(helper::step, -1L), threads);
      helper.awaitInside();
      // Spark takes the reservation of an attempt back by itself before only the backstop runs.
      task.sparkCleansUp();
      long room = fixture.spark.maxOffHeapStorageMemory();
      assertThat(
              fixture.spark.acquireStorageMemory(
                  new TestBlockId("of another"), room, MemoryMode.OFF_HEAP))
          .isTrue();

      assertThat(fixture.executor.taskFailed().orElseThrow().quarantinedBytes()).isEqualTo(1 * MIB);

      assertThat(fixture.spark.offHeapStorageMemoryUsed()).isEqualTo(room);
      assertThat(fixture.heard(MemoryEvent.Quarantined.class)).hasSize(1);
      helper.leave.countDown();
      assertThat(read.join()).isEqualTo(42);
      await("the last to leave frees")
          .untilAsserted(() -> assertThat(fixture.executor.snapshot().usedBytes()).isZero());
      assertThat(fixture.spark.offHeapStorageMemoryUsed())
          .as("nothing that was not charged is given back")
          .isEqualTo(room);
      assertThat(task.overReleasedBytes()).isZero();
      task.complete();
    }
  }

  @Test
  void shouldSpillAnOperatorOnTheThreadThatWorksWithItAndOnNoOther() {
    try (Fixture fixture = fixture("60s")) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      AtomicReference<Thread> spilledOn = new AtomicReference<>();
      PagedState state =
          new PagedState(() -> spilledOn.set(Thread.currentThread())).open(memory, "HashAggregate");
      Thread helper =
          new Thread(
              () ->
                  memory.onHelperThread(
                      () -> {
                        state.memory().batchBoundary();
                        for (int i = 0; i < 12; i++) {
                          state.grow(1 * MIB);
                        }
                        return true;
                      },
                      false));
      helper.start();
      await("the helper is done").until(() -> !helper.isAlive());
      assertThat(state.spills()).as("more than there is was asked for").isPositive();
      assertThat(spilledOn.get()).isSameAs(helper);
      int spills = state.spills();

      OperatorMemory sort = memory.operator("Sort", null);
      assertThat(sort.tryAllocate(7 * MIB)).as("not under another thread's feet").isNull();

      assertThat(state.spills()).isEqualTo(spills);
      state.memory().batchBoundary();
      NativeBlock block = sort.allocate(7 * MIB);
      assertThat(state.spills()).as("it is this thread's now").isGreaterThan(spills);
      assertThat(spilledOn.get()).isSameAs(Thread.currentThread());
      block.close();
      state.memory().close();
      task.complete();
      assertThat(task.sparkCleansUp()).isZero();
      assertThat(fixture.sparkBytes()).isZero();
    }
  }

  /** Whichever of its threads comes first to a batch boundary, and has little. */
  @Test
  void shouldSpillTheStateOfTheOtherThreadTooWhenOneHasLessThanOthersAskFor() {
    ExecutorService helper = Executors.newSingleThreadExecutor();
    try (Fixture fixture = fixture("60s")) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      PagedState large = new PagedState(() -> {}).open(memory, "Sort");
      large.grow(3 * MIB);
      PagedState small = new PagedState(() -> {}).open(memory, "HashAggregate");
      Runnable helperBatch =
          () ->
              CompletableFuture.runAsync(
                      () ->
                          memory.onHelperThread(
                              () -> {
                                small.memory().batchBoundary();
                                small.grow(256 * KIB);
                                return true;
                              },
                              false),
                      helper)
                  .join();
      helperBatch.run();

      for (Consumer<Long> ask :
          List.<Consumer<Long>>of(memory.spilling()::request, memory.spilling()::requestShedding)) {
        int smallSpills = small.spills();
        int largeSpills = large.spills();
        ask.accept(2 * MIB);
        helperBatch.run();
        helperBatch.run();
        helperBatch.run();
        assertThat(small.spills()).as("its own, once").isEqualTo(smallSpills + 1);
        assertThat(large.spills()).as("not under another thread's feet").isEqualTo(largeSpills);

        large.memory().batchBoundary();

        assertThat(large.spills()).as("the rest").isEqualTo(largeSpills + 1);
        large.memory().batchBoundary();
        helperBatch.run();
        assertThat(large.spills()).as("nothing is left to do").isEqualTo(largeSpills + 1);
        large.grow(3 * MIB);
      }
      small.memory().close();
      large.memory().close();
      task.complete();
      assertThat(task.sparkCleansUp()).isZero();
    } finally {
      helper.shutdownNow();
    }
  }

  @Test
  void shouldEndItsWaitWhenItIsInterruptedAgainAndAgain() {
    try (Fixture fixture = fixture("2s")) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      Stubborn helper = new Stubborn(memory.operator("Scan", null).allocate(64 * KIB));
      CompletableFuture<Long> read =
          CompletableFuture.supplyAsync(() -> memory.onHelperThread(helper::step, -1L), threads);
      helper.awaitInside();
      CompletableFuture<Void> ended =
          CompletableFuture.runAsync(
              () -> {
                Thread ending = Thread.currentThread();
                ScheduledExecutorService impatient = Executors.newSingleThreadScheduledExecutor();
                ScheduledFuture<?> interrupts =
                    impatient.scheduleAtFixedRate(ending::interrupt, 0, 100, TimeUnit.MILLISECONDS);
                try {
                  task.fail(new IllegalStateException("boom"));
                } finally {
                  interrupts.cancel(false);
                  impatient.shutdownNow();
                }
              },
              threads);

      await("the end does not wait for good").atMost(Duration.ofSeconds(30)).until(ended::isDone);

      assertThat(fixture.heard(MemoryEvent.Quarantined.class)).hasSize(1);
      helper.leave.countDown();
      assertThat(read.join()).isEqualTo(42);
      await("the last to leave frees")
          .untilAsserted(
              () ->
                  assertThat(fixture.executor.snapshot())
                      .returns(0L, MemorySnapshot::usedBytes)
                      .returns(0L, MemorySnapshot::quarantinedBytes));
      task.sparkCleansUp();
    }
  }

  @Test
  void shouldFreeWhatIsQuarantinedWhenSparkCannotEvenBeAskedToCountIt() {
    SparkConf conf = SparkTask.conf(8 * MIB).set(MemorySettings.HELPER_WAIT, "0ms");
    MemoryManager spark =
        new UnifiedMemoryManager(conf, 64 << 20, 32 << 20, 2) {
          @Override
          public synchronized boolean acquireStorageMemory(
              BlockId block, long bytes, MemoryMode mode) {
            throw new NoClassDefFoundError("Spark is stopping, says the test");
          }
        };
    ExecutorMemory executor =
        new ExecutorMemory(
            MemorySettings.fromConf(conf),
            event -> {},
            new PageSource(),
            () -> spark,
            ContainerGuard.off(MemorySettings.fromConf(conf).guard(), "not under test"));
    SparkTask task = new SparkTask(spark, 12);
    TaskMemory memory = executor.openTask(task.context());
    Stubborn helper = new Stubborn(memory.operator("Scan", null).allocate(64 * KIB));
    CompletableFuture<Long> read =
        CompletableFuture.supplyAsync(() -> memory.onHelperThread(helper::step, -1L), threads);
    helper.awaitInside();

    task.fail(new IllegalStateException("boom"));

    assertThat(executor.snapshot()).returns(64 * KIB, MemorySnapshot::quarantinedBytes);
    helper.leave.countDown();
    assertThat(read.join()).as("its own work went well").isEqualTo(42);
    await("the last to leave frees")
        .untilAsserted(() -> assertThat(executor.snapshot().reclaimedBytes()).isEqualTo(64 * KIB));
    assertThat(executor.snapshot())
        .returns(0L, MemorySnapshot::usedBytes)
        .returns(0L, MemorySnapshot::quarantinedBytes);
    task.sparkCleansUp();
    executor.close();
  }
}
