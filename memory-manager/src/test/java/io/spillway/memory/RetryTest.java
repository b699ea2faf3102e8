package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.greaterThan;

import io.spillway.memory.event.MemoryEvent;
import io.spillway.memory.event.MemoryEvent.Rung;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A step that is refused memory is repeated, for fewer rows if need be, and never loses a row. */
class RetryTest {
  private final ExecutorService helper = Executors.newSingleThreadExecutor();

  @AfterEach
  void close() {
    helper.shutdownNow();
  }

  @Test
  void shouldDoEveryRowOnceAndInOrderWhenTheBatchMustBeSplit() {
    try (Fixture fixture = new Fixture(1 * MIB)) {
      SparkTask task = fixture.task();
      OperatorMemory project = fixture.executor.openTask(task.context()).operator("Project", null);
      List<Integer> done = new ArrayList<>();

      Retry.withRetry(
          project,
          1000,
          (from, to) -> {
            try (NativeBlock room = project.allocate(8 * KIB * (to - from))) {
              assertThat(room.size()).isPositive();
              for (int row = from; row < to; row++) {
                done.add(row);
              }
            }
          });

      assertThat(done).hasSize(1000).isSorted().doesNotHaveDuplicates();
      assertThat(fixture.heard(MemoryEvent.Retried.class))
          .isNotEmpty()
          .allMatch(retried -> retried.rung() == Rung.SPLIT);
      project.close();
      task.complete();
      assertThat(fixture.sparkBytes()).isZero();
    }
  }

  @Test
  void shouldSpillBeforeItSplits() {
    try (Fixture fixture = new Fixture(1 * MIB)) {
      SparkTask task = fixture.task();
      AtomicReference<NativeBlock> state = new AtomicReference<>();
      OperatorMemory aggregate =
          fixture
              .executor
              .openTask(task.context())
              .operator(
                  "HashAggregate(partial)",
                  bytes -> {
                    NativeBlock block = state.getAndSet(null);
                    if (block == null) {
                      return 0;
                    }
                    block.close();
                    return block.size();
                  });
      state.set(aggregate.allocate(600 * KIB));
      List<String> ranges = new ArrayList<>();

      Retry.withRetry(
          aggregate,
          100,
          (from, to) -> {
            ranges.add(from + "-" + to);
            NativeBlock room = aggregate.withoutSpilling(() -> aggregate.tryAllocate(700 * KIB));
            if (room == null) {
              throw new MemoryDenied(aggregate.name(), 700 * KIB);
            }
            room.close();
          });

      assertThat(ranges).containsExactly("0-100", "0-100");
      assertThat(fixture.heard(MemoryEvent.Retried.class))
          .containsExactly(
              new MemoryEvent.Retried(12, "HashAggregate(partial)", 0, 100, Rung.SPILL_OWN));
      aggregate.close();
      task.complete();
      assertThat(fixture.sparkBytes()).isZero();
    }
  }

  /** What recovers from a refusal was not denied, whatever it took. */
  @Test
  void shouldTellOfADenialOnceWhenTheTaskFailsAndElseOfNone() {
    try (Fixture fixture = Fixture.waiting(1, "1ms")) {
      SparkTask task = fixture.task();
      OperatorMemory project = fixture.executor.openTask(task.context()).operator("Project", null);
      AtomicInteger mib = new AtomicInteger(8);

      Retry.withRetry(
          project, 100, (from, to) -> project.allocate((to - from) * 64L * KIB).close());
      Retry.withLess(
          project,
          () -> project.allocate(mib.get() * 128L * KIB + 64 * KIB).close(),
          () -> mib.updateAndGet(all -> all / 2) > 0);
      assertThat(Retry.ifRoom(project, () -> project.allocate(2 * MIB))).isEmpty();
      assertThat(fixture.heard(MemoryEvent.Denied.class)).as("all recovered").isEmpty();

      assertThat(catchThrowable(() -> project.allocate(2 * MIB)))
          .isInstanceOf(SparkOutOfMemoryError.class);
      assertThat(
              catchThrowable(
                  () -> Retry.withRetry(project, 4, (from, to) -> project.allocate(3 * MIB))))
          .isInstanceOf(SparkOutOfMemoryError.class);
      assertThat(
              catchThrowable(
                  () ->
                      Retry.withRetry(
                          project,
                          4,
                          (from, to) -> {
                            throw new MemoryDenied(project.name(), 4 * MIB);
                          })))
          .isInstanceOf(SparkOutOfMemoryError.class);
      assertThat(
              catchThrowable(
                  () -> Retry.withLess(project, () -> project.allocate(5 * MIB), () -> false)))
          .isInstanceOf(SparkOutOfMemoryError.class);

      assertThat(fixture.heard(MemoryEvent.Denied.class))
          .extracting(MemoryEvent.Denied::askedBytes)
          .containsExactly(2 * MIB, 3 * MIB, 4 * MIB, 5 * MIB);
      project.close();
      task.complete();
    }
  }

  @Test
  void shouldEndWithATaskLevelFailureWhenOneRowIsTooMuch() {
    try (Fixture fixture = new Fixture(1 * MIB)) {
      SparkTask task = fixture.task();
      OperatorMemory project = fixture.executor.openTask(task.context()).operator("Project", null);
      List<String> ranges = new ArrayList<>();

      Throwable failure =
          catchThrowable(
              () ->
                  Retry.withRetry(
                      project,
                      8,
                      (from, to) -> {
                        ranges.add(from + "-" + to);
                        project.allocate(2 * MIB);
                      }));

      assertThat(failure)
          .isInstanceOf(SparkOutOfMemoryError.class)
          .hasNoCause()
          .hasMessageContaining("spark.memory.offHeap.size");
      assertThat(ranges).containsExactly("0-8", "0-4", "0-2", "0-1", "0-1");
      task.fail(failure);
      assertThat(fixture.sparkBytes()).isZero();
    }
  }

  @Test
  void shouldTimeTheSplit() {
    try (Fixture fixture = new Fixture(1 * MIB)) {
      SparkTask task = fixture.task();
      OperatorMemory project = fixture.executor.openTask(task.context()).operator("Project", null);

      Retry.withRetry(project, 1000, (from, to) -> project.allocate(8 * KIB * (to - from)).close());

      assertThat(fixture.heard(MemoryEvent.Granted.class))
          .filteredOn(granted -> granted.rung() == Rung.SPLIT)
          .singleElement()
          .satisfies(granted -> assertThat(granted.nanos()).isPositive());
      project.close();
      task.complete();
    }
  }

  @Test
  void shouldSplitNoDeeperThanItMay() {
    try (Fixture fixture =
        new Fixture(
            SparkTask.conf(1 * MIB).set(MemorySettings.SPLIT_DEPTH, "2"), new PageSource())) {
      SparkTask task = fixture.task();
      OperatorMemory project = fixture.executor.openTask(task.context()).operator("Project", null);
      List<String> ranges = new ArrayList<>();

      Throwable failure =
          catchThrowable(
              () ->
                  Retry.withRetry(
                      project,
                      64,
                      (from, to) -> {
                        ranges.add(from + "-" + to);
                        project.allocate(2 * MIB);
                      }));

      assertThat(failure).isInstanceOf(SparkOutOfMemoryError.class).hasNoCause();
      assertThat(ranges).containsExactly("0-64", "0-32", "0-16", "0-16");
      task.fail(failure);
      assertThat(fixture.sparkBytes()).isZero();
    }
  }

  @Test
  void shouldWaitForNobodyAnyMoreWhenAStepFailsAfterAWait() {
    try (Fixture fixture = new Fixture(4 * MIB)) {
      SparkTask other = fixture.task();
      fixture.executor.openTask(other.context()).operator("Sort", null).allocate(64 * KIB);
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      OperatorMemory project = memory.operator("Project", null);
      AtomicReference<Boolean> waited = new AtomicReference<>(false);

      Throwable thrown =
          catchThrowable(
              () ->
                  Retry.withRetry(
                      project,
                      10,
                      (from, to) -> {
                        if (fixture.heard(MemoryEvent.Retried.class).stream()
                            .anyMatch(retried -> retried.rung() == Rung.WAIT_FOR_PEERS)) {
                          waited.set(true);
                          throw new IllegalArgumentException("a bad row, says the test");
                        }
                        throw new MemoryDenied("Project", 64 * KIB);
                      }));

      assertThat(thrown).hasMessage("a bad row, says the test");
      assertThat(waited.get()).isTrue();
      assertThat(memory.isWaiting()).as("nobody of this task waits").isFalse();
      task.fail(thrown);
      other.complete();
      assertThat(fixture.sparkBytes()).isZero();
    }
  }

  /** A task that runs and holds what cannot be spilled, until the test lets it go. */
  private static NativeBlock heldByAnother(Fixture fixture) {
    SparkTask other = fixture.task();
    return fixture.executor.openTask(other.context()).operator("Scan", null).allocate(600 * KIB);
  }

  private static Fixture withShortWaits() {
    return new Fixture(
        SparkTask.conf(1 * MIB)
            .set(MemorySettings.WAIT_ATTEMPTS, "2")
            .set(MemorySettings.WAIT_INITIAL, "1ms"),
        new PageSource());
  }

  /** Lets go when the task has waited longer than it may where less could be done. */
  private Future<?> letGoLater(TaskMemory memory, NativeBlock held, AtomicInteger refused) {
    return helper.submit(
        () -> {
          await("there is no less to do").untilAtomic(refused, greaterThan(0));
          await("the task waits once more").until(memory::isWaiting);
          await("it waits on").during(Duration.ofMillis(300)).until(memory::isWaiting);
          held.close();
        });
  }

  @Test
  void shouldDoLessAtOnceRatherThanWaitLong() {
    try (Fixture fixture = withShortWaits()) {
      NativeBlock held = heldByAnother(fixture);
      SparkTask task = fixture.task();
      OperatorMemory project = fixture.executor.openTask(task.context()).operator("Project", null);
      AtomicInteger rows = new AtomicInteger(64);
      AtomicInteger runs = new AtomicInteger();

      Retry.withLess(
          project,
          () -> {
            runs.incrementAndGet();
            project.allocate(7 * KIB * rows.get()).close();
          },
          () -> rows.updateAndGet(all -> all / 2) > 0);

      assertThat(rows.get()).isEqualTo(32);
      assertThat(runs.get()).isEqualTo(2);
      assertThat(project.retry().patience()).isEqualTo(Patience.ALL);
      held.close();
      task.complete();
    }
  }

  @Test
  void shouldWaitOnWhenThereIsNoLessToDo() throws Exception {
    try (Fixture fixture = withShortWaits()) {
      NativeBlock held = heldByAnother(fixture);
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      OperatorMemory project = memory.operator("Project", null);
      AtomicInteger refused = new AtomicInteger();
      Future<?> letGo = letGoLater(memory, held, refused);

      BooleanSupplier halve =
          () -> {
            refused.incrementAndGet();
            return false;
          };
      assertThatCode(
              () -> Retry.withLess(project, () -> project.allocate(450 * KIB).close(), halve))
          .doesNotThrowAnyException();

      assertThat(refused.get()).isEqualTo(1);
      letGo.get();
      task.complete();
    }
  }

  @Test
  void shouldWaitOnForOneRowAfterItHasSplit() throws Exception {
    try (Fixture fixture = withShortWaits()) {
      NativeBlock held = heldByAnother(fixture);
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      OperatorMemory project = memory.operator("Project", null);
      AtomicInteger oneRow = new AtomicInteger();
      Future<?> letGo = letGoLater(memory, held, oneRow);
      List<Integer> done = new ArrayList<>();

      RangeStep step =
          (from, to) -> {
            if (to - from == 1) {
              oneRow.incrementAndGet();
            }
            project.allocate(450 * KIB).close();
            for (int row = from; row < to; row++) {
              done.add(row);
            }
          };
      assertThatCode(() -> Retry.withRetry(project, 4, step)).doesNotThrowAnyException();

      assertThat(done).containsExactly(0, 1, 2, 3);
      assertThat(project.retry().patience()).isEqualTo(Patience.ALL);
      letGo.get();
      task.complete();
    }
  }
}
