package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The points in real allocators: Arrow's, netty's and the JDK's, under tasks of a real Spark. */
class AllocatorPointsTest {
  private static final long SEED = 7;
  private static final Queue<String> FAILURES = new ConcurrentLinkedQueue<>();
  private static SparkSession spark;

  @TempDir Path out;

  @BeforeAll
  static void startSpark() {
    spark =
        SparkSession.builder()
            .master("local[2,4]")
            .appName("chaos-test")
            .config("spark.driver.host", "localhost")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.enabled", "false")
            .getOrCreate();
    spark.sparkContext().addSparkListener(new FailedTasks(FAILURES));
  }

  @AfterAll
  static void stopSpark() {
    spark.stop();
  }

  @AfterEach
  void disarm() {
    ChaosAgent.uninstall();
  }

  @Test
  void shouldRunTheTaskAgainWhenArrowHasNoBufferForIt() throws Exception {
    List<byte[]> untouched = arrowBatches();
    ChaosController chaos =
        ChaosFixture.arm(out, SEED, "{point: arrow.alloc, fault: out-of-memory, when: {nth: 1}}");
    FAILURES.clear();
    List<byte[]> batches = arrowBatches();
    spark.sparkContext().listenerBus().waitUntilEmpty();
    assertThat(batches).hasSameSizeAs(untouched);
    for (int i = 0; i < batches.size(); i++) {
      assertThat(batches.get(i)).isEqualTo(untouched.get(i));
    }
    assertThat(chaos.point(FaultPoint.ARROW_ALLOC).fired()).isEqualTo(2);
    assertThat(FAILURES)
        .hasSize(2)
        .allMatch(failure -> failure.startsWith("org.apache.arrow.memory.OutOfMemoryException"));
  }

  private static List<byte[]> arrowBatches() {
    return Arrays.asList((byte[][]) spark.range(0, 2000, 1, 2).toArrowBatchRdd().collect());
  }

  @Test
  void shouldChargeNothingAndCountEachBufferOnceWhenArrowIsOutOfMemory() {
    ChaosController chaos =
        ChaosFixture.arm(
            out,
            SEED,
            "{point: arrow.alloc, fault: out-of-memory, when: {nth: 2}, where: {outsideTask:"
                + " true}}");
    try (RootAllocator root = new RootAllocator()) {
      try (ArrowBuf first = root.buffer(1024)) {
        assertThatThrownBy(() -> root.buffer(1024))
            .isExactlyInstanceOf(OutOfMemoryException.class)
            .hasNoCause();
        assertThat(root.getAllocatedMemory()).isEqualTo(first.capacity());
      }
      root.buffer(1024).close();
      assertThat(root.getAllocatedMemory()).isZero();
    }
    assertThat(chaos.point(FaultPoint.ARROW_ALLOC).reached()).isEqualTo(3);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "netty.alloc, io.netty.util.internal.OutOfDirectMemoryError",
    "jdk.direct, java.lang.OutOfMemoryError",
    "jdk.unsafe, java.lang.OutOfMemoryError",
  })
  void shouldDenyTheThirdOfFiveBlocksWhenMemoryIsOut(String point, String error) {
    ChaosController chaos =
        ChaosFixture.arm(
            out,
            SEED,
            "{point: %s, fault: out-of-memory, when: {nth: 3}, where: {partition: 1}}"
                .formatted(point));
    List<String> denied =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(List.of(0, 1), 2)
            .mapPartitions(new Blocks(point)::take)
            .collect();
    assertThat(denied).hasSize(1);
    assertThat(denied.get(0))
        .startsWith("block 3: " + error)
        .contains("injected: " + point + ", call 3")
        .contains("partition 1");
    PointStatus status = chaos.point(FaultPoint.byId(point).orElseThrow());
    assertThat(status.instrumented()).isTrue();
    assertThat(status.fired()).isEqualTo(1);
    assertThat(chaos.disarmed()).isEmpty();
  }

  @Test
  void shouldCountTheJobsBlocksAloneWhenTheAgentNeedsOneForItself() {
    // Longer than what the JDK keeps a buffer for, so that to look for the file takes a block.
    String killSwitch = out + ("/" + "x".repeat(200)).repeat(100);
    FaultPlan plan =
        FaultPlan.parse(
            "test",
            """
            version: 1
            killSwitch: "%s"
            rules:
              - {point: jdk.unsafe, fault: out-of-memory, when: {from: 3}, where: {partition: 1}}
            """
                .formatted(killSwitch));
    ChaosController chaos = ChaosAgent.arm(plan, out, ByteBuddyAgent.install());
    List<String> denied =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(List.of(0, 1), 2)
            .mapPartitions(new Blocks("jdk.unsafe")::take)
            .collect();
    assertThat(denied).singleElement().asString().startsWith("block 3: ").contains("call 3");
    assertThat(chaos.disarmed()).isEmpty();
  }

  @Test
  void shouldGiveTheJdksClassesTheirOwnCodeBackWhenUninstalled() throws Exception {
    Class<?> bits = Class.forName("java.nio.Bits");
    ChaosFixture.arm(
        out,
        SEED,
        "{point: jdk.direct, fault: out-of-memory, when: {from: 1}, where: {attempts: all}}",
        "{point: jdk.unsafe, fault: out-of-memory, when: {from: 1}, where: {attempts: all}}");
    assertThat(ClassBytes.of(bits)).contains("io/spillway/chaos/bootstrap");
    // Outside a task, and by the agent itself, nothing is denied.
    assertThat(ByteBuffer.allocateDirect(1 << 20).capacity()).isEqualTo(1 << 20);
    ChaosAgent.uninstall();
    assertThat(ClassBytes.of(bits)).doesNotContain("io/spillway/chaos");
  }

  /** What a task does that takes five blocks and survives the loss of one. */
  private record Blocks(String point) implements Serializable {

    Iterator<String> take(Iterator<Integer> rows) {
      List<String> denied = new ArrayList<>();
      for (int block = 1; block <= 5; block++) {
        try {
          takeOne();
        } catch (OutOfMemoryError e) {
          denied.add("block " + block + ": " + e);
        }
      }
      return denied.iterator();
    }

    private void takeOne() {
      switch (point) {
        case "netty.alloc" -> {
          ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(100);
          buffer.release();
        }
        case "jdk.direct" -> {
          ByteBuffer unused = ByteBuffer.allocateDirect(4096);
        }
        default -> Platform.freeMemory(Platform.allocateMemory(4096));
      }
    }
  }
}
