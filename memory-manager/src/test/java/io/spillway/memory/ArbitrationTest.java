package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spillway.memory.event.MemoryEvent;
import io.spillway.memory.spill.SpillException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Spark's arbitration between our operators and the JVM's, in one task and among several. */
@Tag("arrow")
@Timeout(60)
class ArbitrationTest {
  private static void nothing() {}

  @Test
  void shouldSpillOursWhenAJvmOperatorOfTheTaskWantsMemory() {
    try (Fixture fixture = new Fixture(64 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      PagedState join = new PagedState(ArbitrationTest::nothing).open(memory, "HashJoin");
      for (int i = 0; i < 48; i++) {
        join.grow(1 * MIB);
      }
      JvmConsumer sort = new JvmConsumer(task.manager(), ArbitrationTest::nothing);

      assertThat(sort.grow(32 * MIB)).isTrue();

      assertThat(join.spills()).isPositive();
      assertThat(join.memory().usedBytes()).isLessThanOrEqualTo(32 * MIB);
      assertThat(fixture.heard(MemoryEvent.Spilled.class)).isNotEmpty();
      end(fixture, task, () -> sort.freeMemory(32 * MIB));
    }
  }

  @Test
  void shouldSpillTheJvmOperatorWhenOursWantsMemory() {
    try (Fixture fixture = new Fixture(64 * MIB)) {
      SparkTask task = fixture.task();
      JvmConsumer sort = new JvmConsumer(task.manager(), ArbitrationTest::nothing);
      assertThat(sort.grow(48 * MIB)).isTrue();
      TaskMemory memory = fixture.executor.openTask(task.context());
      PagedState join = new PagedState(ArbitrationTest::nothing).open(memory, "HashJoin");

      for (int i = 0; i < 32; i++) {
        join.grow(1 * MIB);
      }

      assertThat(sort.spilledBytes()).isEqualTo(48 * MIB);
      assertThat(join.spills()).isZero();
      assertThat(join.memory().usedBytes()).isEqualTo(32 * MIB);
      end(fixture, task, ArbitrationTest::nothing);
    }
  }

  @Test
  void shouldTakeWhatIsIdleBeforeTheJvmOperatorMakesOursSpill() {
    try (Fixture fixture = new Fixture(64 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      PagedState join = new PagedState(ArbitrationTest::nothing).open(memory, "HashJoin");
      OperatorMemory scan = memory.operator("Scan", null);
      join.grow(40 * MIB);
      scan.allocate(4 * KIB).close();
      assertThat(scan.reservedBytes()).as("idle").isEqualTo(512 * KIB);
      JvmConsumer sort = new JvmConsumer(task.manager(), ArbitrationTest::nothing);

      assertThat(sort.grow(24 * MIB)).as("all that is not in blocks").isTrue();

      assertThat(join.spills()).isZero();
      assertThat(memory.reservedBytes()).isEqualTo(memory.usedBytes());
      end(fixture, task, () -> sort.freeMemory(24 * MIB));
    }
  }

  @Test
  void shouldAskForNoMoreThanItNeedsRatherThanSpillTheJvmOperator() {
    try (Fixture fixture = new Fixture(64 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      OperatorMemory scan = memory.operator("Scan", null);
      OperatorMemory project = memory.operator("Project", null);
      scan.allocate(4 * KIB);
      JvmConsumer sort = new JvmConsumer(task.manager(), ArbitrationTest::nothing);
      assertThat(scan.reservedBytes()).as("a whole quantum").isEqualTo(512 * KIB);
      assertThat(sort.grow(64 * MIB - 512 * KIB)).isTrue();

      NativeBlock block = project.allocate(508 * KIB);

      assertThat(block.size()).isEqualTo(508 * KIB);
      assertThat(sort.spilledBytes()).as("the other's idle quantum was enough").isZero();
      end(fixture, task, () -> sort.freeMemory(sort.getUsed()));
    }
  }

  /** Whoever spills for the task's own demand: nothing was idle, and the task held its share. */
  @ParameterizedTest(name = "share {0} MiB, seed {1}")
  @CsvSource({"64, 1", "64, 2", "64, 3", "256, 4"})
  void shouldSpillForItsOwnDemandOnlyWhenTheShareIsHeldAndNothingIsIdle(long mib, long seed) {
    try (Fixture fixture = new Fixture(mib * MIB)) {
      Random random = new Random(seed);
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      long mostIdle = memory.budget().quantumBytes() + 128 * KIB;
      AtomicInteger spills = new AtomicInteger();
      AtomicBoolean ours = new AtomicBoolean();
      List<PagedState> operators = new ArrayList<>();
      Runnable check =
          () -> {
            spills.incrementAndGet();
            if (!ours.get()) {
              return;
            }
            assertThat(task.sparkBytes())
                .as("seed %s: held of the share", seed)
                .isGreaterThanOrEqualTo(mib * MIB * 95 / 100);
            for (PagedState each : operators) {
              OperatorMemory one = each.memory();
              assertThat(one.reservedBytes() - one.usedBytes())
                  .as("seed %s: idle in %s", seed, one.name())
                  .isLessThanOrEqualTo(mostIdle);
            }
            long idle = memory.reservedBytes() - memory.usedBytes();
            assertThat(idle)
                .as("seed %s: the minimums, and what the asking one adds its request to", seed)
                .isLessThanOrEqualTo(mostIdle + 2 * 128 * KIB);
          };
      for (String name : List.of("HashJoin", "Sort", "Window")) {
        operators.add(new PagedState(check).open(memory, name));
      }
      JvmConsumer sorter = new JvmConsumer(task.manager(), check);
      for (int step = 0; step < 1500; step++) {
        PagedState chosen = operators.get(random.nextInt(operators.size()));
        int dice = random.nextInt(10);
        ours.set(dice < 7);
        if (dice < 7) {
          // Up to a quarter of the share at once, mostly far less.
          long bytes = (long) (KIB * Math.pow(2, random.nextDouble() * (mib == 64 ? 14 : 16)));
          chosen.grow(bytes);
        } else if (dice < 9) {
          chosen.shrink();
        } else {
          sorter.grow(random.nextInt(4) * MIB);
        }
      }

      assertThat(spills).as("seed %s", seed).hasValueGreaterThan(10);
      end(fixture, task, () -> sorter.freeMemory(sorter.getUsed()));
    }
  }

  /** The retry of a step that was refused a large block: Spark's room is used up first. */
  @Test
  void shouldHoldItsShareWhileItSpillsForARetry() {
    try (Fixture fixture = new Fixture(64 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      List<Long> heldAtSpill = new ArrayList<>();
      PagedState table = new PagedState(() -> heldAtSpill.add(task.sparkBytes()));
      table.open(memory, "HashJoin");
      for (int i = 0; i < 40; i++) {
        table.grow(1 * MIB);
      }
      AtomicInteger runs = new AtomicInteger();

      Retry.withRetry(
          table.memory(),
          100,
          (from, to) -> {
            runs.incrementAndGet();
            OperatorMemory own = table.memory();
            NativeBlock block = own.withoutSpilling(() -> own.tryAllocate(32 * MIB));
            if (block == null) {
              throw new MemoryDenied(own.name(), 32 * MIB);
            }
            block.close();
          });

      assertThat(runs).hasValue(2);
      assertThat(heldAtSpill).isNotEmpty().allMatch(held -> held >= 64 * MIB * 95 / 100);
      assertThat(table.memory().usedBytes()).as("no more than needed").isEqualTo(32 * MIB);
      end(fixture, task, ArbitrationTest::nothing);
    }
  }

  @Test
  void shouldKeepAllBooksAlikeWhenASpillFailsAfterItFreedSomething() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      PagedState sort =
          new PagedState(ArbitrationTest::nothing) {
            @Override
            public long spill(long bytes) {
              super.spill(bytes);
              throw new SpillException("disk full, says the test");
            }
          };
      sort.open(memory, "Sort");
      for (int i = 0; i < 128; i++) {
        sort.grow(64 * KIB);
      }

      assertThatThrownBy(() -> sort.grow(64 * KIB)).isInstanceOf(SpillException.class);

      assertThat(sort.memory().usedBytes())
          .isEqualTo(fixture.executor.snapshot().usedBytes())
          .isEqualTo(127 * 64 * KIB);
      assertThat(task.sparkBytes()).isEqualTo(memory.reservedBytes());
      end(fixture, task, ArbitrationTest::nothing);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void shouldKeepAllBooksAlikeWhenSparkGrantsInPartOrNothing(long seed) {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      Random random = new Random(seed);
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      PagedState join = new PagedState(ArbitrationTest::nothing).open(memory, "HashJoin");
      OperatorMemory scan = memory.operator("Scan", null);
      List<NativeBlock> batches = new ArrayList<>();
      task.grants(
          asked -> {
            int dice = random.nextInt(4);
            return dice == 0 ? 0 : dice == 1 ? 1 + random.nextInt((int) asked) : asked;
          });
      int refused = 0;
      for (int step = 0; step < 3000; step++) {
        switch (random.nextInt(4)) {
          case 0 -> {
            try {
              join.grow(1 + random.nextInt((int) (256 * KIB)));
            } catch (SparkOutOfMemoryError refusedForGood) {
              refused++;
            }
          }
          case 1 -> join.shrink();
          case 2 -> {
            NativeBlock batch = scan.tryAllocate(1 + random.nextInt((int) (64 * KIB)));
            if (batch == null) {
              refused++;
            } else {
              batches.add(batch);
            }
          }
          default -> {
            if (!batches.isEmpty()) {
              batches.remove(random.nextInt(batches.size())).close();
            }
          }
        }
        assertThat(task.sparkBytes())
            .as("seed %s, step %s", seed, step)
            .isEqualTo(memory.reservedBytes());
        assertThat(memory.usedBytes())
            .isEqualTo(fixture.executor.snapshot().usedBytes())
            .isEqualTo(memory.arrowRoot().getAllocatedMemory())
            .isLessThanOrEqualTo(memory.reservedBytes());
      }

      assertThat(refused).as("seed %s", seed).isPositive();
      end(fixture, task, ArbitrationTest::nothing);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void shouldKeepAllBooksAlikeWhenSeveralThreadsOfOneTaskAllocate(long seed) throws Exception {
    try (Fixture fixture = new Fixture(4 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      Thread own = Thread.currentThread();
      AtomicBoolean foreignSpill = new AtomicBoolean();
      PagedState join =
          new PagedState(() -> foreignSpill.compareAndSet(false, Thread.currentThread() != own))
              .open(memory, "HashJoin");
      OperatorMemory scan = memory.operator("Scan", null);
      ExecutorService helpers = Executors.newFixedThreadPool(3);
      List<Future<Integer>> ends = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        long helperSeed = seed * 3 + i;
        ends.add(helpers.submit(() -> helper(scan, helperSeed)));
      }
      Random random = new Random(seed);
      for (int step = 0; step < 2000; step++) {
        if (random.nextInt(3) > 0) {
          try {
            join.grow(1 + random.nextInt((int) (128 * KIB)));
          } catch (SparkOutOfMemoryError tooMuchIsWithTheHelpers) {
            join.shrink();
          }
        } else {
          join.shrink();
        }
      }
      int granted = 0;
      for (Future<Integer> end : ends) {
        granted += end.get();
      }
      helpers.shutdown();

      assertThat(foreignSpill).isFalse();
      assertThat(join.spills()).as("seed %s", seed).isPositive();
      assertThat(granted).as("seed %s", seed).isPositive();
      assertThat(scan.usedBytes()).isZero();
      assertThat(task.sparkBytes()).isEqualTo(memory.reservedBytes());
      end(fixture, task, ArbitrationTest::nothing);
    }
  }

  private static int helper(OperatorMemory scan, long seed) {
    Random random = new Random(seed);
    List<NativeBlock> held = new ArrayList<>();
    int granted = 0;
    for (int step = 0; step < 3000; step++) {
      NativeBlock block = scan.tryAllocate(1 + random.nextInt((int) (32 * KIB)));
      if (block != null) {
        granted++;
        held.add(block);
      }
      if (block == null || held.size() > 16) {
        held.forEach(NativeBlock::close);
        held.clear();
      }
    }
    held.forEach(NativeBlock::close);
    return granted;
  }

  /**
   * Alone, a task may hold everything. When a second one starts, Spark lets it wait until it has
   * half of its share, and tells nobody: the first gives way because we ask it.
   */
  @Test
  void shouldGiveWayWhenASlotFillsAndSparkLetsTheNewTaskWait() throws Exception {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      ExecutorService slots = Executors.newFixedThreadPool(2);
      AtomicBoolean stop = new AtomicBoolean();
      SparkTask first = fixture.task();
      SparkTask second = fixture.task();
      AtomicBoolean full = new AtomicBoolean();
      Future<Integer> old =
          slots.submit(
              () -> {
                TaskMemory memory = fixture.executor.openTask(first.context());
                PagedState hoard = new PagedState(ArbitrationTest::nothing).open(memory, "Hoard");
                for (int i = 0; i < 8 * 16; i++) {
                  hoard.grow(64 * KIB);
                }
                assertThat(hoard.spills()).as("alone, all of it is its share").isZero();
                full.set(true);
                while (!stop.get()) {
                  hoard.memory().batchBoundary();
                  Thread.onSpinWait();
                }
                hoard.memory().close();
                first.complete();
                return hoard.spills();
              });
      await("the first task holds everything").untilTrue(full);
      Callable<Long> newcomer =
          () -> {
            TaskMemory memory = fixture.executor.openTask(second.context());
            PagedState sort = new PagedState(ArbitrationTest::nothing).open(memory, "Sort");
            for (int i = 0; i < 4 * 16; i++) {
              sort.grow(64 * KIB);
            }
            long used = sort.memory().usedBytes();
            sort.memory().close();
            second.complete();
            return used;
          };

      long used = slots.submit(newcomer).get(30, TimeUnit.SECONDS);
      stop.set(true);

      assertThat(used).as("at least what Spark lets it wait for").isBetween(2 * MIB, 4 * MIB);
      assertThat(old.get()).as("spills of the first, asked by the second").isPositive();
      slots.shutdown();
      assertThat(fixture.sparkBytes()).isZero();
    }
  }

  private static void end(Fixture fixture, SparkTask task, Runnable jvmOperatorCloses) {
    jvmOperatorCloses.run();
    task.fail(new IllegalStateException("over, says the test"));
    assertThat(task.sparkCleansUp()).as("left for Spark to take back").isZero();
    assertThat(task.overReleasedBytes()).isZero();
    assertThat(fixture.sparkBytes()).isZero();
    assertThat(fixture.executor.snapshot().usedBytes()).isZero();
    fixture.executor.taskFailed();
  }
}
