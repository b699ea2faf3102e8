package io.spillway.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** An executor's plugin without Spark around it. */
class ExecutorPluginTest {
  private final SpillwayExecutorPlugin plugin = new SpillwayExecutorPlugin();

  @Test
  void shouldGoByItsOwnSizesWhenTheDriverKnowsOthers() {
    StubContext context = new StubContext(conf("32m").set("spark.executor.cores", "6"), () -> "ok");

    plugin.init(context, fromDriver(conf("64m").set("spark.executor.cores", "3")));
    plugin.shutdown();

    assertThat(context.sent().get(0)).isEqualTo(new ExecutorMessage.Ready("7", 32L << 20, 6, ""));
  }

  @Test
  void shouldHaveAsManySlotsAsItsMachineWhenNothingSaysHowManyCores() {
    StubContext context = new StubContext(conf("64m"), () -> "ok");
    Map<String, String> fromDriver = fromDriver(conf("64m").set("spark.executor.cores", "99"));

    plugin.init(context, fromDriver);
    plugin.shutdown();

    assertThat(((ExecutorMessage.Ready) context.sent().get(0)).taskSlots())
        .isEqualTo(Runtime.getRuntime().availableProcessors());
  }

  @Test
  void shouldEndWhenTheDriverDoesNotAnswerToItsLastReport() {
    CountDownLatch never = new CountDownLatch(1);
    Callable<Object> silent =
        () -> {
          never.await();
          return "ok";
        };
    plugin.init(
        new StubContext(conf("64m"), silent),
        fromDriver(conf("64m").set(SpillwaySettings.SHUTDOWN_WAIT, "50ms")));
    try (LogLines log = LogLines.of("io.spillway.plugin.SpillwayExecutorPlugin")) {
      CompletableFuture<Void> ending = CompletableFuture.runAsync(plugin::shutdown);

      Awaitility.await("the executor goes on").atMost(20, TimeUnit.SECONDS).until(ending::isDone);

      assertThat(log.warnings())
          .containsExactly(
              "The driver did not answer to the last memory report of executor 7 within 50 ms"
                  + " (spark.spillway.shutdownWait)");
    } finally {
      never.countDown();
    }
  }

  private static SparkConf conf(String offHeap) {
    return new SparkConf(false)
        .set("spark.master", "spark://driver:7077")
        .set("spark.memory.offHeap.enabled", "true")
        .set("spark.memory.offHeap.size", offHeap);
  }

  private static Map<String, String> fromDriver(SparkConf conf) {
    return SpillwaySettings.of(conf).forExecutors();
  }
}
