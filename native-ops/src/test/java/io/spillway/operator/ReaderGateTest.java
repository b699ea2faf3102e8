package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ReaderGateTest {
  @Test
  void shouldWaitForTheStepUnderWayWhenTheTaskIsKilledMeanwhile() {
    ReaderGate gate = new ReaderGate(null);
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    CompletableFuture<String> reader =
        CompletableFuture.supplyAsync(
            () ->
                gate.step(
                    () -> {
                      inside.countDown();
                      Awaitility.await("the test lets the reader go")
                          .until(() -> leave.getCount() == 0);
                      return "read";
                    },
                    "ended"));
    Awaitility.await("the reader is inside").until(() -> inside.getCount() == 0);
    CompletableFuture<Boolean> stillInterrupted = new CompletableFuture<>();
    Thread task =
        new Thread(
            () -> {
              gate.close();
              stillInterrupted.complete(Thread.currentThread().isInterrupted());
            });
    task.start();
    Awaitility.await("the task waits").until(() -> task.getState() == Thread.State.TIMED_WAITING);

    task.interrupt();

    Awaitility.await("the task has taken the interrupt and waits on")
        .until(() -> !task.isInterrupted() && task.getState() == Thread.State.TIMED_WAITING);
    assertThat(stillInterrupted).isNotDone();
    leave.countDown();
    assertThat(reader.join()).isEqualTo("read");
    assertThat(stillInterrupted.join()).isTrue();
    assertThat(gate.step(() -> "read", "ended")).isEqualTo("ended");
  }
}
