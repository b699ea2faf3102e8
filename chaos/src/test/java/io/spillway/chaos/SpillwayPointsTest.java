package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.spillway.kernel.Kernels;
import io.spillway.memory.MemorySeams;
import io.spillway.memory.OperatorMemory;
import io.spillway.memory.PageSource;
import io.spillway.memory.spill.SegmentWriter;
import io.spillway.memory.spill.SpillFile;
import io.spillway.memory.spill.SpillSeams;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.spark.TaskKilledException;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every point of Spillway's own with every fault that it can carry, over stand-in seams. */
class SpillwayPointsTest {
  private static final long SEED = 7;

  private static final Map<String, Class<? extends Throwable>> THROWN =
      Map.of(
          "native.alloc out-of-memory", OutOfMemoryError.class,
          "out-of-memory", SparkOutOfMemoryError.class,
          "disk-full", IOException.class,
          "exception", ChaosException.class,
          "error", IOException.class,
          "native.register error", ChaosException.class,
          "kernel.call error", ChaosException.class,
          "kernel.state error", ChaosException.class,
          "spill.close error", ChaosException.class,
          "kill", TaskKilledException.class);

  /** Told by what lies on the disk or is read from it, each in a test of its own. */
  private static final Set<String> DAMAGES =
      Set.of("short-write", "flipped-byte", "truncated-read");

  @TempDir Path out;

  @AfterEach
  void disarm() {
    ChaosAgent.uninstall();
  }

  static List<String> pairs() {
    List<String> pairs = new ArrayList<>();
    for (FaultPoint point : FaultPoint.values()) {
      if (point.seams().get(0).className().startsWith("io.spillway.")) {
        point.faults().stream()
            .filter(fault -> !DAMAGES.contains(fault))
            .forEach(fault -> pairs.add(point.id() + " " + fault));
      }
    }
    return pairs;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pairs")
  void shouldInjectAtTheSecondCallWhenThePointCarriesTheFault(String pair) throws Throwable {
    String point = pair.substring(0, pair.indexOf(' '));
    String fault = pair.substring(pair.indexOf(' ') + 1);
    String figures = fault.equals("delay") ? "{delay: {millis: 300}}" : fault;
    ChaosController chaos =
        ChaosFixture.arm(
            out,
            SEED,
            "{point: %s, fault: %s, when: {nth: 2}, where: {outsideTask: true}}"
                .formatted(point, figures));
    ThrowingCallable call = calls(out).get(point);
    call.call();
    if (fault.equals("delay")) {
      long start = System.nanoTime();
      call.call();
      assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(290));
    } else if (fault.equals("interrupt")) {
      boolean ends = catchThrowable(call) != null;
      assertThat(Thread.interrupted() || ends).as("the call is interrupted").isTrue();
    } else {
      Class<? extends Throwable> type = THROWN.getOrDefault(pair, THROWN.get(fault));
      Throwable thrown = catchThrowable(call);
      assertThat(thrown).isExactlyInstanceOf(type).hasNoCause();
      assertThat(thrown instanceof TaskKilledException e ? e.reason() : thrown.getMessage())
          .contains("injected")
          .contains(point + ", call 2, outside any task, rule 1, seed 7");
    }
    call.call();
    FaultPoint armed = FaultPoint.byId(point).orElseThrow();
    assertThat(chaos.point(armed).instrumented()).isTrue();
    assertThat(chaos.point(armed).reached()).isEqualTo(3);
    assertThat(chaos.point(armed).fired()).isEqualTo(1);
  }

  /** For each point one call of its seam, as its own caller would make it. */
  private static Map<String, ThrowingCallable> calls(Path dir) {
    File file = dir.resolve("spill").toFile();
    return Map.ofEntries(
        Map.entry("native.alloc", () -> assertThat(new PageSource().allocate(64)).isEqualTo(128)),
        Map.entry(
            "native.register", () -> assertThat(MemorySeams.register("Sort")).isEqualTo("Sort")),
        Map.entry("kernel.call", () -> assertThat(Kernels.eval(5)).isEqualTo(5)),
        Map.entry("kernel.state", () -> assertThat(Kernels.aggAdd(5, 1)).isEqualTo(6)),
        Map.entry("spill.open", () -> openAndRemove(file)),
        Map.entry("spill.write", () -> new SegmentWriter().write(0, 8, 16, 32)),
        Map.entry("spill.flush", () -> assertThat(new SegmentWriter().finish().frames()).isZero()),
        Map.entry("spill.read", () -> assertThat(SpillSeams.read()).isEqualTo(42)),
        Map.entry("spill.delete", () -> SpillSeams.delete(file, channel(file))),
        Map.entry("spill.close", () -> new SpillFile().close()),
        Map.entry("task.batch", () -> new OperatorMemory("Sort").batchBoundary()));
  }

  private static void openAndRemove(File file) throws IOException {
    try {
      SpillSeams.open(file);
    } finally {
      boolean unused = file.delete();
    }
  }

  private static FileChannel channel(File file) throws IOException {
    return FileChannel.open(file.toPath(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  @Test
  void shouldCountEachKernelAtItsOwnPointWhenKernelsAreCalled() {
    ChaosController chaos =
        ChaosFixture.arm(
            out,
            SEED,
            "{point: kernel.call, fault: error, when: {nth: 9}, where: {outsideTask: true}}",
            "{point: kernel.state, fault: error, when: {nth: 2}, where: {outsideTask: true}}");
    assertThat(Kernels.available()).isTrue();
    assertThat(Kernels.eval(1)).isEqualTo(1);
    assertThat(Kernels.select(1, 1, 1, 1)).isEqualTo(4);
    assertThat(Kernels.take(1, 1, 1, 1, 1)).isEqualTo(5);
    assertThat(Kernels.rowsToColumns(1)).isEqualTo(1);
    assertThat(Kernels.dictionary(1, 1, 1, 1, 1, 1, 1)).isEqualTo(7);
    assertThat(Kernels.strings(1, 1, 1, 1, 1, 1, 1)).isEqualTo(7);
    assertThat(Kernels.decimals(1, 1, 1, 1, 1, 1, 1)).isEqualTo(7);
    assertThat(Kernels.widen(1, 1, 1, 1)).isEqualTo(4);
    assertThat(Kernels.available()).isTrue();
    assertThat(Kernels.aggAdd(1, 1)).isEqualTo(2);
    assertThatThrownBy(() -> Kernels.take(1, 1, 1, 1, 1)).isInstanceOf(ChaosException.class);
    assertThatThrownBy(() -> Kernels.aggAdd(1, 1)).isInstanceOf(ChaosException.class);
    assertThat(chaos.point(FaultPoint.KERNEL_CALL).reached()).isEqualTo(9);
    assertThat(chaos.point(FaultPoint.KERNEL_STATE).reached()).isEqualTo(2);
  }

  @Test
  void shouldStoreHalfOfTheFramesBytesWhenItsWriteIsShort() throws Exception {
    ChaosController chaos = armOnce("spill.write", "short-write");
    SegmentWriter writer = new SegmentWriter();
    writer.write(1, 2, 3, 4);
    writer.write(5, 6, 7, 8);
    writer.write(9, 10, 11, 12);
    assertThat(writer.stored()).containsExactly(1, 2, 3, 4, 5, 6, 9, 10, 11, 12);
    assertThat(writer.frames()).isEqualTo(3);
    assertThat(chaos.point(FaultPoint.SPILL_WRITE).fired()).isEqualTo(1);
  }

  @Test
  void shouldStoreOneByteTurnedOverWhenAByteIsFlipped() throws Exception {
    ChaosController chaos = armOnce("spill.write", "flipped-byte");
    SegmentWriter writer = new SegmentWriter();
    writer.write(1, 2, 3, 4);
    writer.write(5, 6, 7, 8);
    writer.write(9, 10, 11, 12);
    assertThat(writer.stored()).containsExactly(1, 2, 3, 4, ~5, 6, 7, 8, 9, 10, 11, 12);
    assertThat(chaos.point(FaultPoint.SPILL_WRITE).reached()).isEqualTo(3);
  }

  @Test
  void shouldEndTheFileWhenAReadIsTruncated() throws Exception {
    ChaosController chaos = armOnce("spill.read", "truncated-read");
    assertThat(SpillSeams.read()).isEqualTo(42);
    assertThat(SpillSeams.read()).isEqualTo(-1);
    assertThat(SpillSeams.read()).isEqualTo(42);
    assertThat(chaos.point(FaultPoint.SPILL_READ).fired()).isEqualTo(1);
  }

  @Test
  void shouldReadOneByteTurnedOverWhenAByteIsFlipped() throws Exception {
    ChaosController chaos = armOnce("spill.read", "flipped-byte");
    assertThat(SpillSeams.read()).isEqualTo(42);
    assertThat((byte) SpillSeams.read()).isEqualTo((byte) ~42);
    assertThat(SpillSeams.read()).isEqualTo(42);
    assertThat(chaos.point(FaultPoint.SPILL_READ).fired()).isEqualTo(1);
  }

  private ChaosController armOnce(String point, String fault) {
    return ChaosFixture.arm(
        out,
        SEED,
        "{point: %s, fault: %s, when: {nth: 2}, where: {outsideTask: true}}"
            .formatted(point, fault));
  }

  @Test
  void shouldHaveReleasedEverythingWhenTheReleaseIsReportedAsFailed() throws Exception {
    ChaosFixture.arm(
        out,
        SEED,
        "{point: spill.delete, fault: error, when: {nth: 1}, where: {outsideTask: true}}",
        "{point: spill.close, fault: error, when: {nth: 1}, where: {outsideTask: true}}");
    File file = out.resolve("spill").toFile();
    FileChannel channel = channel(file);
    assertThatThrownBy(() -> SpillSeams.delete(file, channel)).isInstanceOf(IOException.class);
    assertThat(channel.isOpen()).isFalse();
    assertThat(file).doesNotExist();
    SpillFile spill = new SpillFile();
    assertThatThrownBy(spill::close).isInstanceOf(ChaosException.class);
    assertThat(spill.isClosed()).isTrue();
  }

  @Test
  void shouldCreateNoFileWhenOpeningFails() {
    ChaosFixture.arm(
        out,
        SEED,
        "{point: spill.open, fault: disk-full, when: {nth: 1}, where: {outsideTask: true}}");
    File file = out.resolve("spill").toFile();
    assertThatThrownBy(() -> SpillSeams.open(file)).hasMessageStartingWith("No space left");
    assertThat(file).doesNotExist();
  }

  @Test
  void shouldGoOnAtOnceAndStayInterruptedWhenADelayIsInterrupted() {
    ChaosFixture.arm(
        out,
        SEED,
        "{point: kernel.call, fault: {delay: {millis: 60000}}, when: {nth: 1}, where:"
            + " {outsideTask: true}}");
    Thread.currentThread().interrupt();
    long start = System.nanoTime();
    assertThat(Kernels.eval(1)).isEqualTo(1);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(30));
  }

  @Test
  void shouldNameTheOperatorWhenItsBlockIsNotRegistered() {
    ChaosController chaos =
        ChaosFixture.arm(
            out,
            SEED,
            "{point: native.register, fault: error, when: {from: 1}, where: {outsideTask: true,"
                + " operator: 'Hash*'}}");
    assertThat(MemorySeams.register("Sort")).isEqualTo("Sort");
    assertThatThrownBy(() -> MemorySeams.register("HashAggregate(final)"))
        .isInstanceOf(ChaosException.class);
    assertThat(ChaosFixture.fired(chaos).get(0).get("operator").asText())
        .isEqualTo("HashAggregate(final)");
  }
}
