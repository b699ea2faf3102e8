package io.spillway.memory;

import static io.spillway.memory.Fixture.MIB;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever operators, Arrow's own code, Spark and faults do, in whatever order: after every step
 * Spark's figure, Arrow's and the ledger's are what a plain model says, and at the end all are
 * zero.
 *
 * <p>A failure names its seed; {@code -Dspillway.model.seed=N} runs that one only, {@code
 * -Dspillway.model.steps=N} so many steps.
 */
@Tag("arrow")
class ModelTest {
  private static final int TASKS = 3;
  private static final int REMEMBERED_STEPS = 12;

  static LongStream seeds() {
    Long one = Long.getLong("spillway.model.seed");
    return one == null ? LongStream.rangeClosed(1, 3) : LongStream.of(one);
  }

  static LongStream manySeeds() {
    Long one = Long.getLong("spillway.model.seed");
    return one == null ? LongStream.rangeClosed(1001, 1060) : LongStream.of(one);
  }

  private static int steps(int otherwise) {
    return Integer.getInteger("spillway.model.steps", otherwise);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @Timeout(300)
  void shouldKeepAllBooksAlikeWhenOneThreadDoesTheStepsOfManyTasks(long seed) {
    inTurns(seed, steps(3000));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("manySeeds")
  @Tag("soak")
  @Timeout(3600)
  void shouldKeepAllBooksAlikeWhenOneThreadDoesManyStepsOfManyTasks(long seed) {
    inTurns(seed, steps(20_000));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @Timeout(300)
  void shouldKeepAllBooksAlikeWhenEachTaskHasAThread(long seed) throws Exception {
    onThreads(seed, steps(800));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("manySeeds")
  @Tag("soak")
  @Timeout(3600)
  void shouldKeepAllBooksAlikeWhenEachTaskHasAThreadForLong(long seed) throws Exception {
    onThreads(seed, steps(5000));
  }

  private static void inTurns(long seed, int steps) {
    Random random = new Random(seed);
    Deque<String> trail = new ArrayDeque<>();
    ModelTask[] tasks = new ModelTask[TASKS];
    try (ModelRun run = new ModelRun(1 * MIB, true)) {
      for (int step = 0; step < steps; step++) {
        int turn = random.nextInt(TASKS);
        try {
          if (tasks[turn] == null || !tasks[turn].isOpen()) {
            tasks[turn] = new ModelTask(run, random);
          }
          remember(trail, "task " + turn + ": " + tasks[turn].step());
          ModelTask next = tasks[(turn + 1) % TASKS];
          if (step % 20 == 0 && next != null && tasks[turn].isOpen() && next.isOpen()) {
            tasks[turn].steps().refuseToAdopt(next);
          }
          for (ModelTask task : tasks) {
            if (task != null) {
              task.check();
            }
          }
          run.check(tasks);
        } catch (Throwable t) {
          throw new AssertionError("seed " + seed + ", step " + step + ", after " + trail, t);
        }
      }
      for (ModelTask task : tasks) {
        if (task != null && task.isOpen()) {
          task.end();
        }
      }
      run.checkEnd();
      // Of the steps that a seed stands for; threads take them in another order each time.
      if (Integer.getInteger("spillway.model.steps") == null) {
        run.checkThatAllHappened();
      }
    }
  }

  private static void onThreads(long seed, int steps) throws Exception {
    try (ModelRun run = new ModelRun(1 * MIB, false)) {
      ExecutorService threads = Executors.newFixedThreadPool(TASKS);
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < TASKS; i++) {
        long own = seed * TASKS + i;
        ends.add(threads.submit(() -> alongside(run, own, steps)));
      }
      threads.shutdown();
      try {
        for (Future<?> end : ends) {
          end.get(250, TimeUnit.SECONDS);
        }
      } finally {
        threads.shutdownNow();
      }
      run.checkEnd();
    }
  }

  private static void alongside(ModelRun run, long seed, int steps) {
    Random random = new Random(seed);
    Deque<String> trail = new ArrayDeque<>();
    ModelTask task = new ModelTask(run, random);
    for (int step = 0; step < steps; step++) {
      try {
        if (!task.isOpen()) {
          task = new ModelTask(run, random);
        }
        remember(trail, task.step());
        task.check();
      } catch (Throwable t) {
        throw new AssertionError("seed " + seed + ", step " + step + ", after " + trail, t);
      }
    }
    if (task.isOpen()) {
      task.end();
    }
  }

  private static void remember(Deque<String> trail, String step) {
    trail.add(step);
    if (trail.size() > REMEMBERED_STEPS) {
      trail.remove();
    }
  }
}
