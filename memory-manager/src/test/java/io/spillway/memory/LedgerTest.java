package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ledger's sums are right, whatever part a block is in. */
class LedgerTest {
  private static final long SLACK_BYTES = 128 * KIB;

  private final Ledger ledger = new Ledger();

  private static LedgeredBlock block(long address, long bytes) {
    return new LedgeredBlock(null, address, bytes, null);
  }

  @Test
  void shouldFindEveryAttemptsBlocksInTheOrderInWhichTheyWereTaken() {
    List<List<LedgeredBlock>> expected = new ArrayList<>();
    for (long attempt = 0; attempt < 40; attempt++) {
      List<LedgeredBlock> own = new ArrayList<>();
      for (long i = 0; i < 5; i++) {
        LedgeredBlock block = block((attempt * 5 + (7 - i)) * 4096, 4096);
        ledger.part(attempt).add(block);
        own.add(block);
      }
      expected.add(own);
    }

    assertThat(ledger.blocks()).isEqualTo(200);
    assertThat(ledger.usedBytes()).isEqualTo(200 * 4096);
    for (List<LedgeredBlock> own : expected) {
      assertThat(ledger.find(own::contains)).containsExactlyElementsOf(own);
    }
    LedgeredBlock some = expected.get(33).get(2);
    assertThat(ledger.find(each -> each == some)).containsExactly(some);
    assertThat(ledger.part(33).at(some.address())).isNotNull();
    assertThat(ledger.part(33).at(-1)).isNull();
  }

  @Test
  void shouldKeepTheEntryOfAnAddressThatWasHandedOutAgain() {
    LedgeredBlock old = block(4096, 100);
    LedgeredBlock successor = block(4096, 200);
    ledger.part(1).add(old);
    ledger.part(1).add(successor);

    ledger.part(1).remove(old);

    assertThat(ledger.part(1).at(4096)).isSameAs(successor);
    assertThat(ledger.usedBytes()).isEqualTo(200);
    ledger.part(1).removeAll(List.of(successor));
    assertThat(ledger.part(1).at(4096)).isNull();
    assertThat(ledger.usedBytes()).isZero();
  }

  @Test
  void shouldFindTheNewBlockWhileAnotherTaskIsStillTakingOutTheOldOneOfThatAddress() {
    LedgeredBlock old = block(4096, 100);
    LedgeredBlock successor = block(4096, 200);
    ledger.part(1).add(old);
    // Its memory has gone back, its entry has not: the other task is quick.
    assertThat(old.claim()).isTrue();
    assertThat(ledger.part(1).at(4096)).isNull();
    for (long attempt = 2; attempt < 18; attempt++) {
      ledger.part(attempt).add(successor);
      assertThat(ledger.part(attempt).at(4096)).as("attempt %d", attempt).isSameAs(successor);
      ledger.part(attempt).remove(successor);
    }
    ledger.part(1).remove(old);
    assertThat(ledger.usedBytes()).isZero();
  }

  @Test
  void shouldKnowThePeakExactlyWhenOneTaskHoldsBlocksAtATime() {
    for (long attempt = 0; attempt < 20; attempt++) {
      LedgeredBlock first = block(4096, 1000 + attempt);
      LedgeredBlock second = block(8192, 10);
      ledger.part(attempt).add(first);
      ledger.part(attempt).add(second);
      ledger.part(attempt).remove(first);
      ledger.part(attempt).remove(second);
      assertThat(ledger.peakBytes()).isEqualTo(1010 + attempt);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void shouldKnowThePeakToWithinALittleForEachTaskWhateverComesAndGoes(long seed) {
    Random random = new Random(seed);
    List<List<LedgeredBlock>> live =
        List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    long used = 0;
    long peak = 0;
    for (int step = 0; step < 50_000; step++) {
      int attempt = random.nextInt(live.size());
      List<LedgeredBlock> own = live.get(attempt);
      if (own.isEmpty() || random.nextInt(100) < (step / 10_000 % 2 == 0 ? 55 : 45)) {
        LedgeredBlock block = block(64L * step, 64 + random.nextInt(200_000));
        ledger.part(attempt).add(block);
        own.add(block);
        used += block.bytes();
      } else if (random.nextInt(1000) == 0) {
        ledger.part(attempt).removeAll(own);
        used -= own.stream().mapToLong(LedgeredBlock::bytes).sum();
        own.clear();
      } else {
        LedgeredBlock block = own.remove(random.nextInt(own.size()));
        ledger.part(attempt).remove(block);
        used -= block.bytes();
      }
      peak = Math.max(peak, used);
      assertThat(ledger.usedBytes()).isEqualTo(used);
      assertThat(ledger.peakBytes())
          .isBetween(Math.max(used, peak - live.size() * SLACK_BYTES), peak);
    }
  }

  @Test
  void shouldSumWhatSeveralTasksHoldAtTheSameTime() throws Exception {
    int tasks = 4;
    CountDownLatch allHold = new CountDownLatch(tasks);
    ExecutorService threads = Executors.newFixedThreadPool(tasks);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int task = 0; task < tasks; task++) {
        long attempt = task;
        ends.add(
            threads.submit(
                () -> {
                  for (int round = 0; round < 20_000; round++) {
                    LedgeredBlock block = block((attempt * 100_000 + round) * 64, 4096);
                    ledger.part(attempt).add(block);
                    ledger.part(attempt).remove(block);
                  }
                  List<LedgeredBlock> held =
                      LongStream.range(0, 1000)
                          .mapToObj(i -> block((attempt * 100_000 + i) * 64, 4096))
                          .toList();
                  held.forEach(ledger.part(attempt)::add);
                  allHold.countDown();
                  allHold.await();
                  long usedBytes = ledger.usedBytes();
                  held.forEach(ledger.part(attempt)::remove);
                  return usedBytes;
                }));
      }
      for (Future<?> end : ends) {
        end.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(ledger.usedBytes()).isZero();
    assertThat(ledger.blocks()).isZero();
    long held = tasks * 1000L * 4096;
    assertThat(ledger.peakBytes()).isBetween(held - tasks * SLACK_BYTES, held);
  }

  @Test
  void shouldCountABlockOnceWhenOneTaskFreesItAndAnotherTakesItMeanwhile() throws Exception {
    LedgerPart firstLookedAt = ledger.part(0);
    LedgerPart lastLookedAt = ledger.part(3);
    LedgeredBlock freed = block(4096, 4096);
    firstLookedAt.add(freed);
    AtomicLong sum = new AtomicLong();
    Thread summing = new Thread(() -> sum.set(ledger.usedBytes()), "summing");
    Thread freeing = new Thread(() -> firstLookedAt.remove(freed), "freeing");

    synchronized (lastLookedAt) {
      summing.start();
      await("the sum waits for the last part")
          .until(() -> summing.getState() == Thread.State.BLOCKED);
      freeing.start();
      await("it is freed, or waits for the sum")
          .until(
              () ->
                  Set.of(Thread.State.BLOCKED, Thread.State.TERMINATED)
                      .contains(freeing.getState()));
      if (freeing.getState() == Thread.State.TERMINATED) {
        lastLookedAt.add(block(4096, 4096));
      }
    }
    summing.join();
    freeing.join();

    assertThat(sum.get()).isEqualTo(4096);
    assertThat(ledger.usedBytes()).isZero();
  }
}
