package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.spillway.memory.event.MemoryEvent;
import io.spillway.memory.event.MemoryEvent.Rung;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a task waits for, and what it does not wait for. */
@Timeout(60)
class PeerWaitTest {
  private final ExecutorService slots = Executors.newCachedThreadPool();

  @AfterEach
  void close() {
    slots.shutdownNow();
  }

  private static OperatorMemory scan(Fixture fixture, SparkTask task) {
    return fixture.executor.openTask(task.context()).operator("Scan", null);
  }

  private static boolean waits(Fixture fixture, SparkTask task) {
    return fixture.executor.openTask(task.context()).isWaiting();
  }

  @Test
  void shouldNotUseUpItsAttemptsOnWhatComesBackAndIsTooLittle() throws Exception {
    try (Fixture fixture = Fixture.waiting(2, "2s")) {
      OperatorMemory running = scan(fixture, fixture.task());
      NativeBlock much = running.allocate(600 * KIB);
      NativeBlock[] little = new NativeBlock[20];
      for (int i = 0; i < little.length; i++) {
        little[i] = running.allocate(4 * KIB);
      }
      SparkTask task = fixture.task();
      AtomicInteger halved = new AtomicInteger();
      Future<?> asks =
          slots.submit(
              () -> {
                OperatorMemory project = scan(fixture, task);
                Retry.withLess(
                    project,
                    () -> project.allocate(450 * KIB).close(),
                    () -> {
                      halved.incrementAndGet();
                      return false;
                    });
                task.complete();
              });

      await("the task waits").until(() -> waits(fixture, task));
      for (NativeBlock block : little) {
        block.close();
        await("it waits again").until(() -> waits(fixture, task));
      }
      much.close();

      asks.get(20, TimeUnit.SECONDS);
      assertThat(halved.get()).as("less done although what was needed came in time").isZero();
    }
  }

  @Test
  void shouldDoLessSoonAlsoWhenTooLittleComesBackAllTheTime() throws Exception {
    try (Fixture fixture = Fixture.waiting(2, "100ms")) {
      SparkTask other = fixture.task();
      AtomicBoolean over = new AtomicBoolean();
      CountDownLatch held = new CountDownLatch(1);
      Future<?> running =
          slots.submit(
              () -> {
                OperatorMemory scan = scan(fixture, other);
                scan.allocate(600 * KIB);
                held.countDown();
                while (!over.get()) {
                  scan.allocate(8 * KIB).close();
                }
                scan.close();
                other.complete();
              });
      held.await();
      OperatorMemory project = scan(fixture, fixture.task());
      AtomicInteger kib = new AtomicInteger(450);
      long startNanos = System.nanoTime();

      Retry.withLess(
          project,
          () -> project.allocate(kib.get() * KIB).close(),
          () -> kib.updateAndGet(all -> all / 2) > 0);

      Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
      over.set(true);
      running.get(20, TimeUnit.SECONDS);
      assertThat(kib.get()).isEqualTo(225);
      assertThat(took)
          .as("not the whole time that one may wait")
          .isLessThan(Duration.ofSeconds(20));
    }
  }

  @Test
  void shouldTurnAwayNoTaskThatCameAfterItBeganToWait() throws Exception {
    try (Fixture fixture = Fixture.waiting(2, "1ms")) {
      SparkTask oldest = fixture.task();
      SparkTask running = fixture.task();
      NativeBlock much = scan(fixture, running).allocate(700 * KIB);
      OperatorMemory old = scan(fixture, oldest);
      old.allocate(60 * KIB);
      SparkTask young = fixture.task();
      Future<?> youngest = slots.submit(() -> holdAndWant(fixture, young, 128 * KIB, 150 * KIB));
      await("the youngest waits").until(() -> waits(fixture, young));
      Future<?> first =
          slots.submit(
              () -> {
                old.batchBoundary();
                old.allocate(270 * KIB);
              });
      assertThat(catchThrowable(() -> youngest.get(20, TimeUnit.SECONDS)))
          .as("it gave way")
          .hasCauseInstanceOf(SparkOutOfMemoryError.class);
      young.fail(new IllegalStateException("gave way"));

      SparkTask again = fixture.task();
      Future<?> retry = slots.submit(() -> holdAndWant(fixture, again, 128 * KIB, 150 * KIB));
      await("it waits").until(() -> waits(fixture, again));
      await("and goes on to").during(Duration.ofMillis(500)).until(() -> !retry.isDone());
      much.close();

      assertThatCode(() -> retry.get(20, TimeUnit.SECONDS)).doesNotThrowAnyException();
      again.complete();
      assertThatCode(() -> first.get(20, TimeUnit.SECONDS)).doesNotThrowAnyException();
      oldest.complete();
      running.complete();
      assertThat(fixture.sparkBytes()).isZero();
    }
  }

  private static void holdAndWant(Fixture fixture, SparkTask task, long holds, long wants) {
    OperatorMemory scan = scan(fixture, task);
    scan.allocate(holds);
    scan.allocate(wants);
  }

  @Test
  void shouldStopWaitingWhenItsThreadIsInterrupted() throws Exception {
    try (Fixture fixture = Fixture.waiting(1000, "20s")) {
      scan(fixture, fixture.task()).allocate(600 * KIB);
      SparkTask task = fixture.task();
      AtomicReference<Thread> thread = new AtomicReference<>();
      Future<?> asks =
          slots.submit(
              () -> {
                thread.set(Thread.currentThread());
                scan(fixture, task).allocate(450 * KIB);
              });
      await("the task waits").until(() -> waits(fixture, task));

      thread.get().interrupt();

      assertThat(catchThrowable(() -> asks.get(10, TimeUnit.SECONDS)))
          .hasCauseInstanceOf(SparkOutOfMemoryError.class);
    }
  }

  @Test
  void shouldNotBeTakenForOneThatGivesWayOnceItHasDoneLess() {
    try (Fixture fixture = Fixture.waiting(1, "1ms")) {
      scan(fixture, fixture.task()).allocate(600 * KIB);
      SparkTask task = fixture.task();
      OperatorMemory project = scan(fixture, task);
      AtomicInteger kib = new AtomicInteger(450);

      Retry.withLess(
          project,
          () -> project.allocate(kib.get() * KIB).close(),
          () -> kib.updateAndGet(all -> all / 2) > 0);

      assertThat(kib.get()).isEqualTo(225);
      assertThat(fixture.executor.openTask(task.context()).hasGivenWay()).isFalse();
    }
  }

  @Test
  void shouldTakeTheOtherWaySoonWhenThereIsOne() {
    try (Fixture fixture = Fixture.waiting(1, "1ms")) {
      scan(fixture, fixture.task()).allocate(600 * KIB);
      SparkTask task = fixture.task();
      OperatorMemory project = scan(fixture, task);

      assertThat(Retry.ifRoom(project, () -> project.allocate(450 * KIB))).isEmpty();

      assertThat(fixture.heard(MemoryEvent.Pressure.class))
          .anyMatch(pressure -> pressure.rung() == Rung.WAIT_FOR_PEERS);
      assertThat(fixture.executor.openTask(task.context()).hasGivenWay()).isFalse();
      assertThat(Retry.ifRoom(project, () -> project.allocate(4 * KIB))).isPresent();
    }
  }

  @Test
  void shouldWaitForOperatorsOfTheJvmInOtherTasks() throws Exception {
    try (Fixture fixture = Fixture.waiting(2, "1ms")) {
      SparkTask other = fixture.task();
      fixture.executor.openTask(other.context());
      JvmConsumer sorter = new JvmConsumer(other.manager(), () -> {});
      assertThat(sorter.grow(600 * KIB)).isTrue();
      SparkTask task = fixture.task();
      Future<?> asks = slots.submit(() -> scan(fixture, task).allocate(450 * KIB));

      await("the task waits").until(() -> waits(fixture, task));
      await("and goes on to").during(Duration.ofMillis(300)).until(() -> !asks.isDone());
      sorter.freeMemory(600 * KIB);

      assertThatCode(() -> asks.get(20, TimeUnit.SECONDS)).doesNotThrowAnyException();
    }
  }

  /** Spark divides among tasks what storage does not keep: beyond that nobody's spill helps. */
  @Test
  void shouldAskNobodyAndSoonGiveUpWhenWhatTasksShareLeavesTooSmallAShare() {
    try (Fixture fixture = Fixture.waiting(2, "1ms")) {
      SparkTask other = fixture.task();
      TaskMemory memory = fixture.executor.openTask(other.context());
      fixture
          .executor
          .shared()
          .lease(
              "table",
              String.class,
              memory,
              region -> {
                region.allocate(400 * KIB);
                return "built";
              });
      PagedState sort = new PagedState(() -> {}).open(memory, "Sort");
      sort.grow(300 * KIB);
      OperatorMemory scan = scan(fixture, fixture.task());
      scan.allocate(300 * KIB);
      long startNanos = System.nanoTime();

      Throwable refused = catchThrowable(() -> scan.allocate(50 * KIB));

      assertThat(refused).isInstanceOf(SparkOutOfMemoryError.class);
      assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
          .as("not the whole time that one may wait")
          .isLessThan(Duration.ofSeconds(20));
      sort.memory().batchBoundary();
      assertThat(sort.spills()).isZero();
    }
  }

  @Test
  void shouldNotWaitForWhatCannotFitBesideWhatItHolds() {
    try (Fixture fixture = Fixture.waiting(1000, "20s")) {
      SparkTask task = fixture.task();
      OperatorMemory greedy = scan(fixture, task);
      greedy.allocate(600 * KIB);
      scan(fixture, fixture.task()).allocate(4 * KIB);

      assertThat(catchThrowable(() -> greedy.allocate(500 * KIB)))
          .isInstanceOf(SparkOutOfMemoryError.class);

      assertThat(fixture.heard(MemoryEvent.Pressure.class))
          .noneMatch(pressure -> pressure.rung() == Rung.WAIT_FOR_PEERS);
    }
  }

  /** It holds what the builder waits for, and cannot give way where it stands. */
  @Test
  void shouldNotWaitLongForATaskThatWaitsForWhatThisOneBuilds() throws Exception {
    try (Fixture fixture = Fixture.waiting(1000, "10ms")) {
      SparkTask holder = fixture.task();
      SparkTask builder = fixture.task();
      TaskMemory holding = fixture.executor.openTask(holder.context());
      holding.operator("Scan", null).allocate(600 * KIB);
      Future<?> builds =
          slots.submit(
              () -> {
                OperatorMemory scan = scan(fixture, builder);
                scan.allocate(4 * KIB);
                TaskMemory task = fixture.executor.openTask(builder.context());
                fixture
                    .executor
                    .shared()
                    .lease(
                        "table",
                        String.class,
                        task,
                        region -> {
                          scan.allocate(450 * KIB);
                          return "built";
                        });
              });
      await("the builder waits").until(() -> waits(fixture, builder));
      Future<?> awaits =
          slots.submit(
              () ->
                  fixture
                      .executor
                      .shared()
                      .lease("table", String.class, holding, region -> "built by the other"));

      assertThat(catchThrowable(() -> builds.get(20, TimeUnit.SECONDS)))
          .as("sooner than the whole time that one may wait")
          .hasCauseInstanceOf(SparkOutOfMemoryError.class);
      assertThatCode(() -> awaits.get(20, TimeUnit.SECONDS)).doesNotThrowAnyException();
    }
  }

  /** Spark lets a task with less than half its share wait, and tells nobody: not even us. */
  @Test
  void shouldBuildItselfWhenTheBuilderStandsInSparksRequestForWhatThisTaskHolds() throws Exception {
    try (Fixture fixture = Fixture.waiting(1000, "10ms")) {
      SparkTask holder = fixture.task();
      SparkTask builder = fixture.task();
      TaskMemory holding = fixture.executor.openTask(holder.context());
      OperatorMemory held = holding.operator("Scan", null);
      held.allocate(900 * KIB);
      SharedMemory shared = fixture.executor.shared();
      Future<String> builds =
          slots.submit(
              () -> {
                OperatorMemory scan = scan(fixture, builder);
                TaskMemory task = fixture.executor.openTask(builder.context());
                return shared
                    .lease(
                        "table",
                        String.class,
                        task,
                        region -> {
                          scan.allocate(200 * KIB);
                          return "built";
                        })
                    .value();
              });
      await("the builder came first").until(() -> shared.isKnown("table"));
      Future<String> awaits =
          slots.submit(
              () -> shared.lease("table", String.class, holding, region -> "by the other").value());

      assertThat(awaits.get(20, TimeUnit.SECONDS)).isEqualTo("by the other");
      held.close();
      assertThat(builds.get(20, TimeUnit.SECONDS)).isEqualTo("built");
      assertThat(shared.isKnown("table")).as("the other's").isTrue();
      holder.complete();
      builder.complete();
      assertThat(fixture.sparkBytes()).isZero();
    }
  }

  /** Spark makes operators of the JVM spill inside its request, which may take long. */
  @Test
  void shouldNotTakeATaskForOneThatStandsWhileAnOperatorOfTheJvmSpills() throws Exception {
    try (Fixture fixture = Fixture.waiting(1000, "250ms")) {
      SparkTask spilling = fixture.task();
      CountDownLatch spills = new CountDownLatch(1);
      AtomicReference<Future<?>> wants = new AtomicReference<>();
      JvmConsumer sorter =
          new JvmConsumer(
              spilling.manager(),
              () -> {
                long startNanos = System.nanoTime();
                spills.countDown();
                // At work, as a sorter that writes to a slow disk.
                while (System.nanoTime() - startNanos < TimeUnit.SECONDS.toNanos(8)
                    && (wants.get() == null || !wants.get().isDone())) {
                  Thread.onSpinWait();
                }
              });
      assertThat(sorter.grow(600 * KIB)).isTrue();
      SparkTask task = fixture.task();
      OperatorMemory scan = scan(fixture, task);
      scan.allocate(280 * KIB);
      Future<NativeBlock> asks = slots.submit(() -> scan(fixture, spilling).allocate(160 * KIB));
      spills.await();
      wants.set(
          slots.submit(
              () -> {
                scan.batchBoundary();
                scan.allocate(200 * KIB);
              }));

      assertThatCode(() -> wants.get().get(20, TimeUnit.SECONDS)).doesNotThrowAnyException();
      assertThatCode(() -> asks.get(20, TimeUnit.SECONDS)).doesNotThrowAnyException();
      assertThat(sorter.spilledBytes()).isEqualTo(600 * KIB);
    }
  }
}
