package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.apache.spark.rpc.RpcTimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages between the two sides of a plugin that is not ours, in a real Spark. */
class PluginRpcTest {
  private static final long SEED = 7;
  private static final Queue<Object> RECEIVED = new ConcurrentLinkedQueue<>();
  private static volatile PluginContext executor;
  private static SparkContext spark;

  @TempDir Path out;

  @BeforeAll
  static void startSpark() {
    spark =
        new SparkContext(
            new SparkConf()
                .setMaster("local[1]")
                .setAppName("chaos-test")
                .set("spark.driver.host", "localhost")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.ui.enabled", "false")
                .set("spark.plugins", Echo.class.getName()));
  }

  @AfterAll
  static void stopSpark() {
    spark.stop();
  }

  @BeforeEach
  void forget() {
    RECEIVED.clear();
  }

  @AfterEach
  void disarm() {
    ChaosAgent.uninstall();
  }

  @Test
  void shouldReturnAsEverAndSendNothingWhenAMessageIsLost() throws Exception {
    ChaosController chaos = armSecond("lost");
    executor.send("first");
    executor.send("second");
    executor.send("third");
    awaitReceived("first", "third");
    assertThat(chaos.point(FaultPoint.PLUGIN_RPC).reached()).isEqualTo(3);
    assertThat(chaos.point(FaultPoint.PLUGIN_RPC).fired()).isEqualTo(1);
  }

  @Test
  void shouldThrowSparksTimeoutWhenAQuestionIsLost() throws Exception {
    armSecond("lost");
    assertThat(executor.ask("first")).isEqualTo("echo of first");
    assertThatThrownBy(() -> executor.ask("second"))
        .isExactlyInstanceOf(RpcTimeoutException.class)
        .hasMessageContaining("injected: plugin.rpc, call 2");
    assertThat(executor.ask("third")).isEqualTo("echo of third");
    assertThat(RECEIVED).containsExactly("first", "third");
  }

  @Test
  void shouldThrowAnInputOutputErrorWhenTheConnectionFails() throws Exception {
    armSecond("error");
    assertThat(executor.ask("first")).isEqualTo("echo of first");
    assertThatThrownBy(() -> executor.send("second"))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("injected: plugin.rpc, call 2");
    assertThat(RECEIVED).containsExactly("first");
  }

  @Test
  void shouldArriveLateWhenAMessageIsDelayed() throws Exception {
    armSecond("{delay: {millis: 300}}");
    executor.send("first");
    long start = System.nanoTime();
    assertThat(executor.ask("second")).isEqualTo("echo of second");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(290));
    awaitReceived("first", "second");
  }

  private ChaosController armSecond(String fault) {
    return ChaosFixture.arm(
        out,
        SEED,
        "{point: plugin.rpc, fault: %s, when: {nth: 2}, where: {outsideTask: true}}"
            .formatted(fault));
  }

  private static void awaitReceived(Object... messages) {
    Awaitility.await("messages at the driver")
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(RECEIVED).containsExactly(messages));
  }

  /** A plugin whose driver side answers what it is asked. */
  public static final class Echo implements SparkPlugin {
    @Override
    public DriverPlugin driverPlugin() {
      return new DriverPlugin() {
        @Override
        public Object receive(Object message) {
          RECEIVED.add(message);
          return "echo of " + message;
        }
      };
    }

    @Override
    public ExecutorPlugin executorPlugin() {
      return new ExecutorPlugin() {
        @Override
        public void init(PluginContext context, Map<String, String> extra) {
          executor = context;
        }
      };
    }
  }
}
