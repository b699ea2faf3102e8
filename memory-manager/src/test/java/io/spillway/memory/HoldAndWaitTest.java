package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.memory.event.MemoryEvent;
import io.spillway.memory.event.MemoryEvent.Rung;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tasks that each hold what another needs, in memory that cannot be spilled: they always end. Who
 * is beyond its share gives way first, then the younger.
 */
@Timeout(60)
class HoldAndWaitTest {
  private final ExecutorService slots = Executors.newCachedThreadPool();

  @AfterEach
  void close() {
    slots.shutdownNow();
  }

  /** How a task ended. */
  private enum End {
    GOT_WHAT_IT_WANTED,
    GAVE_WAY
  }

  /** Holds, tells so, waits for the start, wants more, and ends as Spark would end it. */
  private static Callable<End> attempt(
      Fixture fixture,
      SparkTask task,
      long holdBytes,
      CountDownLatch holding,
      CountDownLatch start,
      long wantBytes) {
    return attempt(fixture, task, holdBytes, holding, start, scan -> scan.allocate(wantBytes));
  }

  /** The same, wanting what is given. */
  private static Callable<End> attempt(
      Fixture fixture,
      SparkTask task,
      long holdBytes,
      CountDownLatch holding,
      CountDownLatch start,
      Consumer<OperatorMemory> wants) {
    return () -> {
      End end;
      try {
        OperatorMemory scan = fixture.executor.openTask(task.context()).operator("Scan", null);
        scan.allocate(holdBytes);
        holding.countDown();
        start.await();
        wants.accept(scan);
        scan.close();
        task.complete();
        end = End.GOT_WHAT_IT_WANTED;
      } catch (SparkOutOfMemoryError denied) {
        task.fail(denied);
        end = End.GAVE_WAY;
      }
      task.sparkCleansUp();
      fixture.executor.taskFailed();
      return end;
    };
  }

  /** Holds, in one block, and ends when the latch is down. */
  private static Callable<End> running(
      Fixture fixture, SparkTask task, long bytes, CountDownLatch holding, CountDownLatch over) {
    return () -> {
      OperatorMemory scan = fixture.executor.openTask(task.context()).operator("Scan", null);
      scan.allocate(bytes);
      holding.countDown();
      over.await();
      scan.close();
      task.complete();
      task.sparkCleansUp();
      return End.GOT_WHAT_IT_WANTED;
    };
  }

  /** Nothing moves any more: that is seen at once, not after minutes of waiting. */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void shouldLetTheOneBeyondItsShareGiveWayAtOnceWhenTwoTasksWaitForEachOther(long seed)
      throws Exception {
    try (Fixture fixture = Fixture.waiting(1000, "10s")) {
      Random random = new Random(seed);
      SparkTask older = fixture.task();
      SparkTask younger = fixture.task();
      boolean olderIsGreedy = random.nextBoolean();
      // Alone, the greedy one may take more than half. The modest one has what Spark lets it wait
      // for, and wants what only the greedy one could give back; and the other way round.
      long greedyHolds = (580 + random.nextInt(100)) * KIB;
      long modestHolds = (260 + random.nextInt(40)) * KIB;
      long free = 1 * MIB - greedyHolds - modestHolds;
      long modestWants =
          Math.min(free + 8 * KIB + random.nextInt(8) * KIB, 500 * KIB - modestHolds);
      long greedyWants = free + 8 * KIB;
      CountDownLatch greedyHolding = new CountDownLatch(1);
      CountDownLatch bothHolding = new CountDownLatch(1);

      Future<End> greedy =
          slots.submit(
              attempt(
                  fixture,
                  olderIsGreedy ? older : younger,
                  greedyHolds,
                  greedyHolding,
                  bothHolding,
                  greedyWants));
      greedyHolding.await();
      Future<End> modest =
          slots.submit(
              attempt(
                  fixture,
                  olderIsGreedy ? younger : older,
                  modestHolds,
                  bothHolding,
                  bothHolding,
                  modestWants));

      End ofGreedy = greedy.get(30, TimeUnit.SECONDS);
      End ofModest = modest.get(30, TimeUnit.SECONDS);
      assertThat(ofModest)
          .as("seed %s: the one within its share, older: %s", seed, !olderIsGreedy)
          .isEqualTo(End.GOT_WHAT_IT_WANTED);
      assertThat(ofGreedy)
          .as("seed %s: the one beyond it, older: %s", seed, olderIsGreedy)
          .isEqualTo(End.GAVE_WAY);
      assertNothingLeft(fixture);
    }
  }

  /** A third task that runs might give memory back: it is waited for, as long as is set. */
  @ParameterizedTest(name = "round {0}")
  @ValueSource(ints = {1, 2, 3})
  void shouldLetTheYoungerGiveWayFirstWhenTheWaitIsOver(int round) throws Exception {
    try (Fixture fixture = Fixture.waiting(3, "250ms")) {
      SparkTask older = fixture.task();
      SparkTask greedy = fixture.task();
      SparkTask running = fixture.task();
      CountDownLatch greedyHolding = new CountDownLatch(1);
      CountDownLatch othersHold = new CountDownLatch(2);
      CountDownLatch olderWaits = new CountDownLatch(1);
      CountDownLatch over = new CountDownLatch(1);
      Future<End> young =
          slots.submit(attempt(fixture, greedy, 600 * KIB, greedyHolding, olderWaits, 100 * KIB));
      greedyHolding.await();
      Future<End> third =
          slots.submit(attempt(fixture, running, 180 * KIB, othersHold, over, 4 * KIB));
      Future<End> old =
          slots.submit(attempt(fixture, older, 200 * KIB, othersHold, othersHold, 100 * KIB));
      await("the older waits")
          .until(
              () ->
                  fixture.heard(MemoryEvent.Pressure.class).stream()
                      .anyMatch(p -> p.taskAttemptId() == 12 && p.rung() == Rung.WAIT_FOR_PEERS));
      olderWaits.countDown();

      assertThat(young.get(30, TimeUnit.SECONDS)).as("round %s", round).isEqualTo(End.GAVE_WAY);
      assertThat(old.get(30, TimeUnit.SECONDS)).isEqualTo(End.GOT_WHAT_IT_WANTED);
      over.countDown();
      assertThat(third.get(30, TimeUnit.SECONDS)).isEqualTo(End.GOT_WHAT_IT_WANTED);
      assertNothingLeft(fixture);
    }
  }

  /** Wants so much, or half of it, and so on. */
  private static Consumer<OperatorMemory> orLess(AtomicLong bytes) {
    return scan ->
        Retry.withLess(
            scan,
            () -> scan.allocate(bytes.get()).close(),
            () -> bytes.updateAndGet(all -> all / 2) > 4 * KIB);
  }

  /** The younger would fail, and the older need not: it is the one that runs that both wait for. */
  @Test
  void shouldTurnNoTaskAwayWhenLessCanBeDoneInstead() throws Exception {
    try (Fixture fixture = Fixture.waiting(2, "1ms")) {
      SparkTask older = fixture.task();
      SparkTask younger = fixture.task();
      TaskMemory youngerMemory = fixture.executor.openTask(younger.context());
      CountDownLatch runningHolds = new CountDownLatch(1);
      CountDownLatch over = new CountDownLatch(1);
      Future<End> third =
          slots.submit(running(fixture, fixture.task(), 500 * KIB, runningHolds, over));
      runningHolds.await();
      CountDownLatch youngerHolds = new CountDownLatch(1);
      CountDownLatch bothHold = new CountDownLatch(1);
      AtomicLong less = new AtomicLong(130 * KIB);
      Future<End> young =
          slots.submit(attempt(fixture, younger, 200 * KIB, youngerHolds, bothHold, 130 * KIB));
      youngerHolds.await();
      CountDownLatch youngerWaits = new CountDownLatch(1);
      Future<End> old =
          slots.submit(attempt(fixture, older, 200 * KIB, bothHold, youngerWaits, orLess(less)));
      await("the younger waits").until(youngerMemory::isWaiting);
      youngerWaits.countDown();

      assertThat(old.get(30, TimeUnit.SECONDS)).isEqualTo(End.GOT_WHAT_IT_WANTED);
      assertThat(less.get()).as("done at once").isLessThan(130 * KIB);
      over.countDown();
      assertThat(young.get(30, TimeUnit.SECONDS)).isEqualTo(End.GOT_WHAT_IT_WANTED);
      assertThat(third.get(30, TimeUnit.SECONDS)).isEqualTo(End.GOT_WHAT_IT_WANTED);
      assertNothingLeft(fixture);
    }
  }

  /** The other is beyond its share, but would fail. */
  @Test
  void shouldLetTheOneGiveWayThatCanDoLessWhenTwoTasksWaitForEachOther() throws Exception {
    try (Fixture fixture = Fixture.waiting(1000, "1s")) {
      CountDownLatch greedyHolds = new CountDownLatch(1);
      CountDownLatch bothHold = new CountDownLatch(1);
      AtomicLong less = new AtomicLong(200 * KIB);
      Future<End> greedy =
          slots.submit(
              attempt(fixture, fixture.task(), 600 * KIB, greedyHolds, bothHold, 200 * KIB));
      greedyHolds.await();
      Future<End> modest =
          slots.submit(
              attempt(fixture, fixture.task(), 300 * KIB, bothHold, bothHold, orLess(less)));

      assertThat(modest.get(30, TimeUnit.SECONDS)).isEqualTo(End.GOT_WHAT_IT_WANTED);
      assertThat(less.get()).isLessThan(200 * KIB);
      assertThat(greedy.get(30, TimeUnit.SECONDS)).isEqualTo(End.GOT_WHAT_IT_WANTED);
      assertNothingLeft(fixture);
    }
  }

  /** Many at once, with whatever they hold and want: the oldest gets it, all end. */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4})
  void shouldEndAllTasksWhenManyHoldAndWait(long seed) throws Exception {
    try (Fixture fixture = Fixture.waiting(5, "2ms")) {
      Random random = new Random(seed);
      int count = 6;
      CountDownLatch holding = new CountDownLatch(count);
      @SuppressWarnings({"unchecked", "rawtypes"})
      Future<End>[] ends = new Future[count];
      for (int i = 0; i < count; i++) {
        // Together what is there, each no more than Spark lets it have.
        ends[i] =
            slots.submit(
                attempt(
                    fixture,
                    fixture.task(),
                    (90 + random.nextInt(70)) * KIB,
                    holding,
                    holding,
                    (64 + random.nextInt(512)) * KIB));
      }
      int got = 0;
      for (Future<End> end : ends) {
        got += end.get(30, TimeUnit.SECONDS) == End.GOT_WHAT_IT_WANTED ? 1 : 0;
      }

      assertThat(got).as("seed %s: tasks that got what they wanted", seed).isPositive();
      assertNothingLeft(fixture);
    }
  }

  /** Nobody waits who could give way, and one that runs holds much: it is waited for. */
  @Test
  void shouldWaitOnForATaskThatRunsWhenItWouldFailOtherwise() throws Exception {
    try (Fixture fixture = Fixture.waiting(2, "1ms")) {
      SparkTask running = fixture.task();
      CountDownLatch runningHolds = new CountDownLatch(1);
      CountDownLatch over = new CountDownLatch(1);
      Future<End> first = slots.submit(running(fixture, running, 600 * KIB, runningHolds, over));
      runningHolds.await();
      CountDownLatch holding = new CountDownLatch(1);
      Future<End> second =
          slots.submit(attempt(fixture, fixture.task(), 280 * KIB, holding, holding, 200 * KIB));

      await("attempts are long over").during(Duration.ofMillis(500)).until(() -> !second.isDone());
      over.countDown();

      assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo(End.GOT_WHAT_IT_WANTED);
      assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo(End.GOT_WHAT_IT_WANTED);
      assertNothingLeft(fixture);
    }
  }

  @Test
  void shouldFailWhenTheWholeTimeIsOver() throws Exception {
    SparkConf conf = SparkTask.conf(1 * MIB).set(MemorySettings.WAIT_TOTAL, "100ms");
    try (Fixture fixture = new Fixture(conf, new PageSource())) {
      CountDownLatch runningHolds = new CountDownLatch(1);
      CountDownLatch over = new CountDownLatch(1);
      Future<End> first =
          slots.submit(running(fixture, fixture.task(), 600 * KIB, runningHolds, over));
      runningHolds.await();
      CountDownLatch holding = new CountDownLatch(1);
      Future<End> second =
          slots.submit(attempt(fixture, fixture.task(), 280 * KIB, holding, holding, 200 * KIB));

      assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo(End.GAVE_WAY);
      over.countDown();
      assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo(End.GOT_WHAT_IT_WANTED);
      assertNothingLeft(fixture);
    }
  }

  /** Its end would return nothing, so nobody would be helped by it. */
  @Test
  void shouldNotLetATaskGiveWayThatHoldsNothing() throws Exception {
    try (Fixture fixture = Fixture.waiting(1000, "10s")) {
      CountDownLatch bothHold = new CountDownLatch(2);
      CountDownLatch thirdWaits = new CountDownLatch(1);
      Future<End> oldest =
          slots.submit(
              attempt(fixture, fixture.task(), 440 * KIB, bothHold, thirdWaits, 250 * KIB));
      Future<End> second =
          slots.submit(
              attempt(fixture, fixture.task(), 400 * KIB, bothHold, thirdWaits, 250 * KIB));
      bothHold.await();
      SparkTask youngest = fixture.task();
      TaskMemory memory = fixture.executor.openTask(youngest.context());
      // More than is free, and what is free is enough for Spark not to let it wait itself.
      Future<End> third =
          slots.submit(running(fixture, youngest, 300 * KIB, new CountDownLatch(1), thirdWaits));
      await("the youngest waits").until(memory::isWaiting);
      thirdWaits.countDown();

      assertThat(third.get(30, TimeUnit.SECONDS)).isEqualTo(End.GOT_WHAT_IT_WANTED);
      assertThat(List.of(oldest.get(30, TimeUnit.SECONDS), second.get(30, TimeUnit.SECONDS)))
          .containsExactlyInAnyOrder(End.GOT_WHAT_IT_WANTED, End.GAVE_WAY);
      assertNothingLeft(fixture);
    }
  }

  private static void assertNothingLeft(Fixture fixture) {
    assertThat(fixture.sparkBytes()).isZero();
    assertThat(fixture.executor.snapshot())
        .returns(0L, MemorySnapshot::usedBytes)
        .returns(0, MemorySnapshot::openTasks);
  }
}
