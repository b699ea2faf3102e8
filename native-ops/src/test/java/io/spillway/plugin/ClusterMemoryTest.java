package io.spillway.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.memory.guard.GuardStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ClusterMemoryTest {
  private static final GuardStatus WATCHED =
      new GuardStatus(GuardStatus.Phase.WATCHING, "", "/pod", 10, 100, 5, 0);

  private final ClusterMemory cluster = new ClusterMemory();

  @Test
  void shouldNotWaitWhenEveryExecutorReportedItsLast() {
    cluster.ready("1");
    cluster.received(snapshot("1", 1, 10, true));

    assertThat(cluster.awaitLast(Duration.ofHours(1))).isEmpty();
  }

  @Test
  void shouldNotWaitWhenAnExecutorIsLost() {
    cluster.ready("1");
    cluster.lost("1");

    assertThat(cluster.awaitLast(Duration.ofHours(1))).isEmpty();
  }

  @Test
  void shouldNameTheMissingWhenTheTimeIsOver() {
    cluster.ready("2");
    cluster.received(snapshot("1", 1, 10, false));

    assertThat(cluster.awaitLast(Duration.ofMillis(20))).containsExactly("1", "2");
  }

  @Test
  void shouldGoOnWhenTheLastReportComesWhileWaiting() {
    cluster.ready("1");
    CompletableFuture<List<String>> waiting =
        CompletableFuture.supplyAsync(() -> cluster.awaitLast(Duration.ofMinutes(1)));
    assertThat(waiting).isNotDone();

    cluster.received(snapshot("1", 5, 0, true));

    Awaitility.await("the wait ends").atMost(10, TimeUnit.SECONDS).until(waiting::isDone);
    assertThat(waiting).isCompletedWithValue(List.of());
  }

  @Test
  void shouldKeepTheNewestWhenMessagesOvertakeEachOther() {
    cluster.received(snapshot("1", 2, 20, false));
    cluster.received(snapshot("1", 1, 10, false));
    assertThat(cluster.reports()).extracting(ExecutorReport::usedBytes).containsExactly(20L);

    cluster.received(snapshot("1", 3, 0, true));
    cluster.received(snapshot("1", 4, 30, false));
    assertThat(cluster.reports())
        .singleElement()
        .satisfies(report -> assertThat(report.last()).isTrue())
        .satisfies(report -> assertThat(report.usedBytes()).isZero());
  }

  @Test
  void shouldTellTheHighestTaskPeakOnceWhenItIsTaken() {
    cluster.received(snapshot("1", 1, 10, false));
    cluster.received(snapshot("2", 1, 30, false));
    cluster.received(snapshot("1", 2, 20, false));

    assertThat(cluster.takeTaskPeakBytes()).isEqualTo(30);
    assertThat(cluster.takeTaskPeakBytes()).isZero();
  }

  private static ExecutorMessage.Snapshot snapshot(
      String executor, long sequence, long used, boolean last) {
    return new ExecutorMessage.Snapshot(
        sequence, new ExecutorReport(executor, used, 0, used, 0, 0, 0, List.of(), WATCHED, last));
  }
}
