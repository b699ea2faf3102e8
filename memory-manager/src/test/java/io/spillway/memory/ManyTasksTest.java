package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks that grow, spill, split, fail and are killed at once, in far too little memory. */
class ManyTasksTest {
  private static final int THREADS = 4;
  private static final int TASKS = 40;

  /** Operators of one task, and random steps that they take. */
  private static final class Steps {
    private final Random random;
    private final List<NativeBlock> state = new ArrayList<>();
    private OperatorMemory table;
    private OperatorMemory batches;

    Steps(long seed) {
      random = new Random(seed);
    }

    void run(TaskMemory memory) {
      table = memory.operator("table", this::spill);
      batches = memory.operator("batches", null);
      for (int step = 0; step < 200; step++) {
        table.batchBoundary();
        Retry.withRetry(batches, 1 + random.nextInt(64), this::batch);
      }
      table.close();
      batches.close();
    }

    private void batch(int fromRow, int toRow) {
      try (NativeBlock batch = batches.allocate(KIB * (toRow - fromRow))) {
        Platform.setMemory(batch.address(), (byte) 1, batch.size());
        NativeBlock page = table.tryAllocate(1 + random.nextInt(32 * 1024));
        if (page == null) {
          throw new MemoryDenied(table.name(), 32 * KIB);
        }
        Platform.setMemory(page.address(), (byte) 2, page.size());
        state.add(page);
      }
    }

    private long spill(long bytes) {
      long freed = 0;
      while (freed < bytes && !state.isEmpty()) {
        NativeBlock page = state.remove(state.size() - 1);
        assertThat(Platform.getByte(null, page.address())).isEqualTo((byte) 2);
        freed += page.size();
        page.close();
      }
      return freed;
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  @Timeout(120)
  void shouldEndWithNothingHeldWhateverTasksDo(long seed) throws Exception {
    try (Fixture fixture = new Fixture(SparkTask.conf(1 * MIB), new PageSource())) {
      List<SparkTask> tasks = new ArrayList<>();
      for (int i = 0; i < TASKS; i++) {
        tasks.add(fixture.task());
      }
      ExecutorService pool = Executors.newFixedThreadPool(THREADS);
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < TASKS; i++) {
        SparkTask task = tasks.get(i);
        long taskSeed = seed * TASKS + i;
        ends.add(pool.submit(() -> attempt(fixture, task, taskSeed)));
      }
      pool.shutdown();
      for (Future<?> end : ends) {
        end.get();
      }

      assertThat(fixture.executor.snapshot())
          .returns(0L, MemorySnapshot::usedBytes)
          .returns(0L, MemorySnapshot::blocks)
          .returns(0L, MemorySnapshot::reservedBytes)
          .returns(0L, MemorySnapshot::leakedBytes)
          .returns(0, MemorySnapshot::openTasks);
      assertThat(fixture.executor.snapshot().peakBytes()).isBetween(256 * KIB, 1 * MIB);
      assertThat(fixture.executor.snapshot().reclaimedBytes()).isPositive();
      assertThat(fixture.sparkBytes()).isZero();
      assertThat(tasks).allMatch(task -> task.overReleasedBytes() == 0);
    }
  }

  /** Every third task is killed, every fifth fails, the others end well or for want of memory. */
  private static void attempt(Fixture fixture, SparkTask task, long seed) {
    try {
      Steps steps = new Steps(seed);
      TaskMemory memory = fixture.executor.openTask(task.context());
      if (seed % 5 == 0) {
        memory.operator("broken", null).allocate(8 * KIB);
        throw new IllegalStateException("fails at once, says the test");
      }
      if (seed % 3 == 0) {
        memory.operator("doomed", null).allocate(8 * KIB);
        task.kill();
      }
      steps.run(memory);
      task.complete();
    } catch (SparkOutOfMemoryError | RuntimeException e) {
      task.fail(e);
    }
    task.sparkCleansUp();
    if (task.context().isFailed()) {
      fixture.executor.taskFailed();
    } else {
      fixture.executor.taskSucceeded();
    }
  }
}
