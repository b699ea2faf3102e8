package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spillway.memory.event.MemoryEvent.ContainerPressure;
import io.spillway.memory.event.MemoryEvent.Denied;
import io.spillway.memory.event.MemoryEvent.Pressure;
import io.spillway.memory.event.MemoryEvent.Rung;
import io.spillway.memory.guard.ContainerGuard;
import io.spillway.memory.guard.GuardStatus.Phase;
import io.spillway.memory.guard.MemoryReader.Reading;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks in a container of 100 MiB that Spark knows nothing of: it would grant a GiB. */
@Timeout(60)
class GuardedTaskTest {
  private static final long LIMIT = 100 * MIB;

  private final SparkConf conf =
      SparkTask.conf(1024 * MIB)
          .set(MemorySettings.QUANTUM, "64k")
          .set(MemorySettings.GUARD_INTERVAL, "60000");
  private Fixture fixture;

  /** What the container holds besides native blocks: a heap, say. */
  private long otherBytes = 40 * MIB;

  /** What of it has gone since, while tasks run. */
  private final AtomicLong goneBytes = new AtomicLong();

  /** At how many looks to come it holds a MiB more. */
  private final AtomicInteger growingLooks = new AtomicInteger();

  private Fixture fixture() {
    ContainerGuard guard =
        new ContainerGuard(
            MemorySettings.fromConf(conf).guard(),
            () -> {
              if (growingLooks.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                otherBytes = otherBytes + 1 * MIB;
              }
              long blocks = fixture == null ? 0 : fixture.executor.snapshot().usedBytes();
              long used = otherBytes - goneBytes.get() + blocks;
              return new Reading("/pod", used, LIMIT, used);
            },
            System::nanoTime);
    fixture = new Fixture(conf, new PageSource(), guard);
    return fixture;
  }

  /** State in blocks, the oldest of which go first. */
  private static final class State implements Spillable {
    private final Deque<NativeBlock> blocks = new ArrayDeque<>();
    private OperatorMemory memory;

    State open(TaskMemory task, String name) {
      memory = task.operator(name, this);
      return this;
    }

    State grow(long bytes) {
      for (long taken = 0; taken < bytes; taken += 64 * KIB) {
        memory.batchBoundary();
        blocks.add(memory.allocate(64 * KIB));
      }
      return this;
    }

    @Override
    public long spill(long bytes) {
      long freed = 0;
      while (freed < bytes && !blocks.isEmpty()) {
        NativeBlock block = blocks.remove();
        freed += block.size();
        block.close();
      }
      return freed;
    }
  }

  @Test
  void shouldStayBelowTheUpperMarkWhenATaskTakesFourTimesTheRoom() {
    try (Fixture executor = fixture()) {
      SparkTask task = executor.task();
      State sort = new State().open(executor.executor.openTask(task.context()), "Sort");

      sort.grow(4 * 60 * MIB);

      assertThat(executor.executor.snapshot().peakBytes()).isBetween(50 * MIB, 52 * MIB);
      assertThat(executor.heard(ContainerPressure.class))
          .as("one line when it begins and one when it ends, a few times")
          .hasSizeBetween(10, 80);
      assertThat(executor.executor.guardStatus().episodes()).isGreaterThan(5);
      sort.memory.close();
      task.complete();
      assertThat(executor.sparkBytes()).isZero();
    }
  }

  @Test
  void shouldAskEachTaskForItsPartWhenTheContainerFills() {
    try (Fixture executor = fixture()) {
      SparkTask large = executor.task();
      SparkTask small = executor.task();
      SparkTask idle = executor.task();
      State sort = new State().open(executor.executor.openTask(large.context()), "Sort");
      State join = new State().open(executor.executor.openTask(small.context()), "HashJoin");
      State least = new State().open(executor.executor.openTask(idle.context()), "Window");
      sort.grow(30 * MIB);
      join.grow(10 * MIB);
      least.grow(128 * KIB);

      otherBytes = 55 * MIB;
      assertThatTheGuardLooks(executor);
      assertThat(executor.heard(ContainerPressure.class)).hasSize(1);
      long before = executor.executor.snapshot().usedBytes();
      sort.memory.batchBoundary();
      join.memory.batchBoundary();
      least.memory.batchBoundary();

      long shed = before - executor.executor.snapshot().usedBytes();
      assertThat(shed).as("95 MiB lead below 85 MiB").isBetween(10 * MIB, 11 * MIB);
      assertThat(sort.memory.usedBytes()).as("three of four parts").isLessThan(23 * MIB);
      assertThat(join.memory.usedBytes()).as("one of four").isBetween(7 * MIB, 8 * MIB);
      assertThat(least.memory.usedBytes()).as("the least stays").isEqualTo(128 * KIB);
      assertThat(executor.executor.guard().admits(1)).isTrue();
      assertThat(executor.executor.guardStatus().phase()).isEqualTo(Phase.WATCHING);
    }
  }

  /** As its thread would after its interval. */
  private static void assertThatTheGuardLooks(Fixture executor) {
    executor.executor.guard().look();
    assertThat(executor.executor.guardStatus().phase()).isEqualTo(Phase.REFUSING);
  }

  @Test
  void shouldFailTheTaskWithinBoundsAndNameTheContainerWhenNothingHelps() {
    try (Fixture executor = fixture()) {
      SparkTask task = executor.task();
      TaskMemory memory = executor.executor.openTask(task.context());
      State sort = new State().open(memory, "Sort").grow(10 * MIB);
      otherBytes = 95 * MIB;
      assertThatTheGuardLooks(executor);

      assertThatThrownBy(() -> sort.memory.allocate(1 * MIB))
          .isInstanceOf(SparkOutOfMemoryError.class)
          .hasNoCause()
          .hasMessageContaining("Sort: 1048576 bytes asked for")
          .hasMessageContaining("of the limit 104857600 of /pod")
          .hasMessageContaining("growth is refused above 96468992 until below 89128960")
          .hasMessageContaining("spark.executor.memoryOverhead")
          .hasMessageNotContaining("Raise spark.memory.offHeap.size");

      assertThat(sort.blocks).as("it spilled before it failed").hasSizeLessThanOrEqualTo(2);
      assertThat(memory.climbs(Rung.WAIT_FOR_PEERS)).as("it waited, once").isOne();
      assertThat(executor.heard(ContainerPressure.class)).hasSize(1);
      task.fail(new IllegalStateException("as it would"));
      assertThat(executor.sparkBytes()).isZero();
    }
  }

  @Test
  void shouldGrantWhatIsReservedAndTheLeastOfAnOperatorWhileGrowthIsRefused() {
    try (Fixture executor = fixture()) {
      SparkTask task = executor.task();
      TaskMemory memory = executor.executor.openTask(task.context());
      State sort = new State().open(memory, "Sort");
      sort.grow(256 * KIB);
      otherBytes = 95 * MIB;
      assertThatTheGuardLooks(executor);

      sort.blocks.remove().close();
      assertThat(sort.memory.tryAllocate(64 * KIB)).as("idle in its reservation").isNotNull();
      assertThat(sort.memory.tryAllocate(64 * KIB)).as("growth").isNull();
      OperatorMemory scan = memory.operator("Scan", null);
      assertThat(scan.tryAllocate(128 * KIB)).as("the least").isNotNull();
      assertThat(scan.tryAllocate(4 * KIB)).as("more than the least").isNull();
      assertThat(memory.operator("HashJoin", bytes -> 0).reservedBytes())
          .as("opens with its minimum")
          .isEqualTo(128 * KIB);
      task.fail(new IllegalStateException("as it would"));
      assertThat(executor.sparkBytes()).isZero();
    }
  }

  @Test
  void shouldAdoptABlockWhileGrowthIsRefused() {
    try (Fixture executor = fixture()) {
      SparkTask task = executor.task();
      TaskMemory memory = executor.executor.openTask(task.context());
      OperatorMemory scan = memory.operator("Scan", null);
      OperatorMemory sort = memory.operator("Sort", bytes -> 0);
      NativeBlock batch = scan.allocate(4 * MIB);
      otherBytes = 95 * MIB;
      assertThatTheGuardLooks(executor);

      NativeBlock adopted = sort.adopt(batch);

      assertThat(sort.usedBytes()).as("the process did not grow").isEqualTo(4 * MIB);
      adopted.close();
      scan.close();
      sort.close();
      task.complete();
      assertThat(executor.sparkBytes()).isZero();
    }
  }

  @Test
  void shouldSpillItsOwnAndGoOnWithoutWaitingWhenThatMakesRoom() {
    try (Fixture executor = fixture()) {
      SparkTask task = executor.task();
      TaskMemory memory = executor.executor.openTask(task.context());
      State sort = new State().open(memory, "Sort").grow(20 * MIB);
      otherBytes = 80 * MIB;
      assertThatTheGuardLooks(executor);

      // Refused, its own 20 MiB spilled in part, granted: without a wait, and without splitting.
      sort.grow(4 * MIB);

      assertThat(executor.executor.snapshot().usedBytes()).isBetween(5 * MIB, 12 * MIB);
      assertThat(memory.climbs(Rung.WAIT_FOR_PEERS)).isZero();
      sort.memory.close();
      task.complete();
    }
  }

  @Test
  void shouldSpillAgainWhileItWaitsWhenOthersGoOnFillingTheContainer() {
    try (Fixture executor = fixture()) {
      SparkTask task = executor.task();
      TaskMemory memory = executor.executor.openTask(task.context());
      State sort = new State().open(memory, "Sort").grow(20 * MIB);
      otherBytes = 75 * MIB;
      assertThatTheGuardLooks(executor);
      growingLooks.set(5);

      sort.blocks.add(sort.memory.allocate(64 * KIB));

      assertThat(growingLooks).hasValue(0);
      assertThat(memory.climbs(Rung.WAIT_FOR_PEERS)).isOne();
      assertThat(sort.memory.usedBytes()).isBetween(4 * MIB, 5 * MIB);
      assertThat(executor.executor.guardStatus().phase()).isEqualTo(Phase.WATCHING);
      sort.memory.close();
      task.complete();
    }
  }

  /** A step that tries one grant only is refused by the container: Spark would have enough. */
  @Test
  void shouldSpillForABatchBeforeItWaitsOrSplitsWhenTheContainerRefuses() {
    try (Fixture executor = fixture()) {
      SparkTask task = executor.task();
      TaskMemory memory = executor.executor.openTask(task.context());
      State sort = new State().open(memory, "Sort").grow(20 * MIB);
      otherBytes = 75 * MIB;
      assertThatTheGuardLooks(executor);
      List<String> ranges = new ArrayList<>();

      Retry.withRetry(
          sort.memory,
          8,
          (fromRow, toRow) -> {
            ranges.add(fromRow + "-" + toRow);
            NativeBlock block = sort.memory.tryAllocate(512 * KIB);
            if (block == null) {
              throw new MemoryDenied("Sort", 512 * KIB);
            }
            sort.blocks.add(block);
          });

      assertThat(ranges).containsExactly("0-8", "0-8");
      assertThat(memory.climbs(Rung.SPILL_OWN)).isOne();
      assertThat(memory.climbs(Rung.WAIT_FOR_PEERS)).isZero();
      assertThat(sort.memory.usedBytes()).isBetween(9 * MIB, 11 * MIB);
      sort.memory.close();
      task.complete();
      assertThat(executor.sparkBytes()).isZero();
    }
  }

  /** Waiting for each other, neither could give anything back; the container may all the same. */
  @Test
  void shouldLetNoTaskGiveWayAtOnceWhenTheContainerIsWhatTheyWaitFor() throws Exception {
    conf.set(MemorySettings.WAIT_ATTEMPTS, "100");
    ExecutorService slots = Executors.newFixedThreadPool(2);
    try (Fixture executor = fixture()) {
      CountDownLatch holding = new CountDownLatch(2);
      CountDownLatch full = new CountDownLatch(1);
      List<Future<Long>> ends = new ArrayList<>();
      for (SparkTask task : List.of(executor.task(), executor.task())) {
        ends.add(
            slots.submit(
                () -> {
                  OperatorMemory scan =
                      executor.executor.openTask(task.context()).operator("Scan", null);
                  scan.allocate(5 * MIB);
                  holding.countDown();
                  full.await();
                  scan.allocate(1 * MIB);
                  long used = scan.usedBytes();
                  scan.close();
                  task.complete();
                  return used;
                }));
      }
      holding.await();
      otherBytes = 95 * MIB;
      assertThatTheGuardLooks(executor);

      full.countDown();
      await("both tasks wait for each other")
          .until(
              () ->
                  executor.heard(Pressure.class).stream()
                          .filter(pressure -> pressure.rung() == Rung.WAIT_FOR_PEERS)
                          .count()
                      == 2);
      await("neither gives way")
          .during(Duration.ofMillis(300))
          .until(() -> ends.stream().noneMatch(Future::isDone));
      goneBytes.set(75 * MIB);

      for (Future<Long> end : ends) {
        assertThat(end.get()).isEqualTo(6 * MIB);
      }
      assertThat(executor.heard(Denied.class)).isEmpty();
      assertThat(executor.sparkBytes()).isZero();
    } finally {
      slots.shutdownNow();
    }
  }

  @Test
  void shouldEndItsThreadWhenTheExecutorCloses() {
    Fixture executor = fixture();
    assertThat(guardThreads()).isOne();
    executor.close();
    assertThat(guardThreads()).isZero();
  }

  private static long guardThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("spillway-container-guard"))
        .count();
  }
}
