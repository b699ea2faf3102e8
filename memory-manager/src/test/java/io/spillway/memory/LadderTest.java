package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.spillway.memory.event.MemoryEvent;
import io.spillway.memory.event.MemoryEvent.Rung;
import io.spillway.memory.spill.SpillException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskKilledException;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pressure is a ladder: who gives way, in which order, and what the last rung says. */
@Tag("arrow")
@Timeout(60)
class LadderTest {
  /** State in blocks that a spill drops, oldest first. */
  private static final class State implements Spillable {
    private final Deque<NativeBlock> blocks = new ArrayDeque<>();
    private final AtomicInteger spills = new AtomicInteger();
    private OperatorMemory memory;

    State open(TaskMemory task, String name) {
      memory = task.operator(name, this);
      return this;
    }

    void grow(long bytes) {
      blocks.add(memory.allocate(bytes));
    }

    @Override
    public long spill(long bytes) {
      spills.incrementAndGet();
      long freed = 0;
      while (freed < bytes && !blocks.isEmpty()) {
        NativeBlock block = blocks.remove();
        freed += block.size();
        block.close();
      }
      return freed;
    }
  }

  private static SparkConf conf(long offHeapBytes) {
    return SparkTask.conf(offHeapBytes).set(MemorySettings.QUANTUM, "4k");
  }

  @Test
  void shouldSpillTheOtherOperatorBeforeItselfWhenSparkIsFull() {
    try (Fixture fixture = new Fixture(conf(2 * MIB), new PageSource())) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      State join = new State().open(memory, "HashJoin");
      State sort = new State().open(memory, "Sort");
      for (int i = 0; i < 10; i++) {
        join.grow(100 * KIB);
      }
      sort.grow(700 * KIB);

      sort.grow(900 * KIB);

      assertThat(join.spills).hasPositiveValue();
      assertThat(sort.spills).as("the asking one is last").hasValue(0);
      assertThat(sort.memory.usedBytes()).isEqualTo(1600 * KIB);
      assertThat(fixture.heard(MemoryEvent.Spilled.class))
          .isNotEmpty()
          .allMatch(spilled -> spilled.operator().equals("HashJoin"));
      assertThat(fixture.sparkBytes()).isLessThanOrEqualTo(2 * MIB);

      sort.grow(1900 * KIB);

      assertThat(sort.spills).as("itself after the others").hasPositiveValue();
      task.fail(new IllegalStateException("boom"));
      assertThat(task.sparkCleansUp()).isZero();
    }
  }

  @Test
  void shouldKeepItsMinimumWhenItIsSpilled() {
    try (Fixture fixture = new Fixture(conf(1 * MIB), new PageSource())) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      State join = new State().open(memory, "HashJoin");
      assertThat(join.memory.reservedBytes()).isEqualTo(128 * KIB);
      join.grow(500 * KIB);
      OperatorMemory scan = memory.operator("Scan", null);

      NativeBlock greedy = scan.allocate(896 * KIB);

      assertThat(join.memory.reservedBytes()).isEqualTo(128 * KIB);
      assertThat(scan.tryAllocate(4096)).isNull();
      join.grow(128 * KIB);
      greedy.close();
      task.fail(new IllegalStateException("boom"));
      assertThat(task.sparkCleansUp()).isZero();
    }
  }

  @Test
  void shouldFailToOpenAndNameTheSettingWhenThereIsNoMinimum() {
    try (Fixture fixture = new Fixture(conf(256 * KIB), new PageSource())) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      OperatorMemory scan = memory.operator("Scan", null);
      scan.allocate(200 * KIB);

      assertThatThrownBy(() -> memory.operator("HashAggregate(final)", bytes -> 0))
          .isInstanceOf(SparkOutOfMemoryError.class)
          .hasNoCause()
          .hasMessageContaining("task 12 / HashAggregate(final): 131072 bytes asked for")
          .hasMessageContaining("spark.memory.offHeap.size=262144");

      assertThat(memory.operators()).containsExactly(scan);
      task.fail(new IllegalStateException("boom"));
      assertThat(task.sparkCleansUp()).isZero();
    }
  }

  @Test
  void shouldNameBothSettingsWhenOffHeapMemoryIsOff() {
    SparkConf off = conf(64 * KIB).set("spark.memory.offHeap.enabled", "false");
    try (Fixture fixture = new Fixture(off, new PageSource())) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());

      assertThatThrownBy(() -> memory.operator("Sort", bytes -> 0))
          .isInstanceOf(SparkOutOfMemoryError.class)
          .hasMessageContaining(
              "off: set spark.memory.offHeap.enabled=true and spark.memory.offHeap.size")
          .hasMessageNotContaining("Raise");

      task.fail(new IllegalStateException("boom"));
      assertThat(task.sparkCleansUp()).isZero();
    }
  }

  @Test
  void shouldAnswerZeroInsideASectionThatCannotBeSpilled() {
    try (Fixture fixture = new Fixture(conf(1 * MIB), new PageSource())) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      State sort = new State().open(memory, "Sort");
      sort.grow(600 * KIB);

      NativeBlock refused = sort.memory.withoutSpilling(() -> sort.memory.tryAllocate(900 * KIB));

      assertThat(refused).isNull();
      assertThat(sort.spills).hasValue(0);
      NativeBlock granted = sort.memory.tryAllocate(900 * KIB);
      assertThat(granted).isNotNull();
      assertThat(sort.spills).hasPositiveValue();
      task.fail(new IllegalStateException("boom"));
      assertThat(task.sparkCleansUp()).isZero();
    }
  }

  @Test
  void shouldAnswerZeroWhenSparkAsksFromAnotherThread() throws Exception {
    try (Fixture fixture = new Fixture(conf(1 * MIB), new PageSource())) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      State sort = new State().open(memory, "Sort");
      sort.grow(600 * KIB);
      OperatorMemory scan = memory.operator("Scan", null);
      AtomicReference<NativeBlock> got = new AtomicReference<>();

      Thread thread = new Thread(() -> got.set(scan.tryAllocate(900 * KIB)));
      thread.start();
      thread.join();

      assertThat(got).hasValue(null);
      assertThat(sort.spills).hasValue(0);
      task.fail(new IllegalStateException("boom"));
      assertThat(task.sparkCleansUp()).isZero();
    }
  }

  @Test
  void shouldNotSpillAgainWhenASpillAllocates() {
    try (Fixture fixture = new Fixture(conf(1 * MIB), new PageSource())) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      AtomicReference<Throwable> inside = new AtomicReference<>();
      AtomicInteger depth = new AtomicInteger();
      AtomicReference<OperatorMemory> own = new AtomicReference<>();
      own.set(
          memory.operator(
              "Sort",
              bytes -> {
                assertThat(depth.incrementAndGet()).isOne();
                inside.set(catchThrowable(() -> own.get().allocate(2 * MIB)));
                depth.decrementAndGet();
                return 0;
              }));

      assertThatThrownBy(() -> own.get().allocate(2 * MIB))
          .isInstanceOf(SparkOutOfMemoryError.class);

      assertThat(inside.get()).isInstanceOf(SparkOutOfMemoryError.class);
      task.fail(new IllegalStateException("boom"));
      assertThat(task.sparkCleansUp()).isZero();
    }
  }

  @Test
  void shouldReachTheTaskAsItIsWhenASpillFails() {
    try (Fixture fixture = new Fixture(conf(1 * MIB), new PageSource())) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      OperatorMemory sort = memory.operator("Sort", Fixture.FULL_DISK);
      sort.allocate(600 * KIB);

      Throwable failure = catchThrowable(() -> sort.allocate(900 * KIB));

      assertThat(failure).isInstanceOf(SpillException.class).hasNoCause();
      sort.close();
      task.fail(failure);
      assertThat(fixture.executor.snapshot().usedBytes()).isZero();
      task.sparkCleansUp();
      assertThat(fixture.sparkBytes()).isZero();
    }
  }

  @Test
  void shouldGetWhatItNeedsWhenAnotherTaskSpillsAtItsBatchBoundary() throws Exception {
    SparkConf conf = conf(1 * MIB).set(MemorySettings.WAIT_ATTEMPTS, "1000");
    try (Fixture fixture = new Fixture(conf, new PageSource())) {
      AtomicBoolean stop = new AtomicBoolean();
      CountDownLatch grown = new CountDownLatch(1);
      AtomicReference<Throwable> failure = new AtomicReference<>();
      SparkTask old = fixture.task();
      State hoard = new State();
      Thread oldThread =
          new Thread(
              () -> {
                try {
                  hoard.open(fixture.executor.openTask(old.context()), "Hoard");
                  // Alone, a task may take more than the half that is its share among two.
                  for (int i = 0; i < 11; i++) {
                    hoard.grow(64 * KIB);
                  }
                  grown.countDown();
                  while (!stop.get()) {
                    if (heardRung(fixture, Rung.WAIT_FOR_PEERS)) {
                      hoard.memory.batchBoundary();
                    }
                    Thread.onSpinWait();
                  }
                  hoard.memory.close();
                  old.complete();
                } catch (Throwable t) {
                  failure.set(t);
                  grown.countDown();
                }
              });
      oldThread.start();
      grown.await();
      SparkTask young = fixture.task();
      try {
        OperatorMemory scan = fixture.executor.openTask(young.context()).operator("Scan", null);

        NativeBlock block = scan.allocate(400 * KIB);

        assertThat(block.size()).isEqualTo(400 * KIB);
        assertThat(hoard.spills).as("asked, and honoured at a batch boundary").hasPositiveValue();
        assertThat(fixture.heard(MemoryEvent.Pressure.class))
            .extracting(MemoryEvent.Pressure::rung)
            .contains(Rung.GIVE_BACK_IDLE, Rung.SPILL_OWN, Rung.WAIT_FOR_PEERS);
        scan.close();
        young.complete();
      } finally {
        stop.set(true);
        oldThread.join();
      }
      assertThat(failure.get()).isNull();
      assertThat(fixture.sparkBytes()).isZero();
      assertThat(fixture.executor.snapshot().openTasks()).isZero();
    }
  }

  private static boolean heardRung(Fixture fixture, Rung rung) {
    return fixture.heard(MemoryEvent.Pressure.class).stream().anyMatch(p -> p.rung() == rung);
  }

  @Test
  void shouldStopWaitingWhenTheTaskIsKilled() throws Exception {
    SparkConf conf =
        conf(1 * MIB)
            .set(MemorySettings.WAIT_ATTEMPTS, "1000")
            .set(MemorySettings.WAIT_INITIAL, "5s");
    try (Fixture fixture = new Fixture(conf, new PageSource())) {
      SparkTask old = fixture.task();
      Thread oldThread =
          new Thread(
              () ->
                  fixture
                      .executor
                      .openTask(old.context())
                      .operator("Hoard", null)
                      .allocate(400 * KIB));
      oldThread.start();
      oldThread.join();
      SparkTask young = fixture.task();
      OperatorMemory scan = fixture.executor.openTask(young.context()).operator("Scan", null);
      scan.allocate(500 * KIB);
      Thread waiting = Thread.currentThread();
      Thread killer =
          new Thread(
              () -> {
                await("the task waits")
                    .until(
                        () ->
                            fixture.heard(MemoryEvent.Pressure.class).stream()
                                .anyMatch(p -> p.rung() == Rung.SPILL_OWN));
                young.kill();
                waiting.interrupt();
              });
      killer.start();

      Throwable failure = catchThrowable(() -> scan.allocate(200 * KIB));
      while (killer.isAlive()) {
        // Not joined: the interrupt may still be on its way to this thread.
        Thread.onSpinWait();
      }

      assertThat(failure).isInstanceOf(TaskKilledException.class);
      assertThat(Thread.interrupted()).as("the interrupt is not eaten").isTrue();
      young.fail(failure);
      assertThat(young.sparkCleansUp()).isZero();
      old.fail(failure);
      assertThat(fixture.sparkBytes()).isZero();
    }
  }

  /** Spark counts a failure towards {@code spark.task.maxFailures}, and a kill it does not. */
  @Test
  void shouldEndAsKilledWhenItIsKilledAndInterruptedBeforeItIsRefused() {
    try (Fixture fixture = Fixture.waiting(1000, "20s")) {
      fixture
          .executor
          .openTask(fixture.task().context())
          .operator("Scan", null)
          .allocate(600 * KIB);
      SparkTask task = fixture.task();
      OperatorMemory scan = fixture.executor.openTask(task.context()).operator("Scan", null);
      task.kill();
      Thread.currentThread().interrupt();

      Throwable refused = catchThrowable(() -> scan.allocate(450 * KIB));
      Throwable refusedStep =
          catchThrowable(
              () ->
                  Retry.withRetry(
                      scan,
                      1,
                      (from, to) -> {
                        NativeBlock room = scan.tryAllocate(450 * KIB);
                        if (room == null) {
                          throw new MemoryDenied(scan.name(), 450 * KIB);
                        }
                      }));

      assertThat(Thread.interrupted()).as("the interrupt is not eaten").isTrue();
      assertThat(refused).isInstanceOf(TaskKilledException.class);
      assertThat(refusedStep).isInstanceOf(TaskKilledException.class);
      task.fail(refused);
      assertThat(task.sparkCleansUp()).isZero();
    }
  }
}
