package io.spillway.memory.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.spillway.memory.event.MemoryEvent.Rung;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happened, as those hear it who count, record or write lines. */
class EventListenersTest {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final List<MemoryEvent> ONE_OF_EACH =
      List.of(
          new MemoryEvent.Pressure(7, "Sort", 4096, 1, 2, Rung.SPILL_OWN),
          new MemoryEvent.Granted(7, "Sort", 4096, Rung.SPILL_OWN, 3_000_000),
          new MemoryEvent.Spilled(7, "Sort", 65_536, 5_000_000),
          new MemoryEvent.Retried(7, "Sort", 10, 20, Rung.SPLIT),
          new MemoryEvent.Denied(7, "Sort", 8192, 9_000_000),
          new MemoryEvent.Leaked(7, "Sort", 100, 1, null),
          new MemoryEvent.Reclaimed(7, "Sort", 200, 2));
  private static final MemoryEvent CONTAINER_FILLS =
      new MemoryEvent.ContainerPressure(true, "/pod", 95, 40, 100, 30, 0);
  private static final MemoryEvent CONTAINER_HAS_ROOM =
      new MemoryEvent.ContainerPressure(false, "/pod", 80, 40, 100, 15, 11_000_000);

  @Test
  void shouldHaveMetricsForEveryKindOfEvent() {
    MetricRegistry registry = new MetricRegistry();
    MetricsListener listener = new MetricsListener(registry);
    assertThat(registry.counter("memory.pressure.spill_own").getCount()).isZero();

    ONE_OF_EACH.forEach(listener::onEvent);
    listener.onEvent(new MemoryEvent.Spilled(8, "HashJoin", 4464, 7_000_000));

    assertThat(registry.counter("memory.pressure.spill_own").getCount()).isEqualTo(1);
    assertThat(registry.timer("memory.granted.spill_own").getSnapshot().getMax())
        .isEqualTo(3_000_000);
    assertThat(registry.timer("memory.spill").getCount()).isEqualTo(2);
    assertThat(registry.timer("memory.spill").getSnapshot().getMax()).isEqualTo(7_000_000);
    assertThat(registry.counter("memory.spilledBytes").getCount()).isEqualTo(70_000);
    assertThat(registry.counter("memory.retries.split").getCount()).isEqualTo(1);
    assertThat(registry.timer("memory.denied").getCount()).isEqualTo(1);
    assertThat(registry.counter("memory.leakedBytes").getCount()).isEqualTo(100);
    assertThat(registry.counter("memory.reclaimedBytes").getCount()).isEqualTo(200);
  }

  @Test
  void shouldCountAnEpisodeOfTheContainerWhenItBeginsAndTimeItWhenItIsOver() {
    MetricRegistry registry = new MetricRegistry();
    MetricsListener listener = new MetricsListener(registry);

    listener.onEvent(CONTAINER_FILLS);
    assertThat(registry.counter("memory.containerEpisodes").getCount()).isEqualTo(1);
    assertThat(registry.timer("memory.containerRefused").getCount()).isZero();

    listener.onEvent(CONTAINER_HAS_ROOM);
    assertThat(registry.counter("memory.containerEpisodes").getCount()).isEqualTo(1);
    assertThat(registry.timer("memory.containerRefused").getSnapshot().getMax())
        .isEqualTo(11_000_000);
  }

  @Test
  void shouldStandInAFlightRecordingWithItsFigures(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      for (String kind :
          List.of(
              "Pressure", "Grant", "Spill", "Retry", "Denial", "Leak", "Reclaim", "Container")) {
        recording.enable("io.spillway." + kind);
      }
      recording.start();
      JfrListener listener = new JfrListener();
      ONE_OF_EACH.forEach(listener::onEvent);
      listener.onEvent(CONTAINER_FILLS);
      recording.stop();
      recording.dump(file);
    }

    List<RecordedEvent> all =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().startsWith("io.spillway."))
            .toList();
    RecordedEvent container = named(all, "io.spillway.Container");
    assertThat(container.getBoolean("refusing")).isTrue();
    assertThat(container.getLong("bytes")).isEqualTo(95);
    assertThat(container.getLong("limit")).isEqualTo(100);
    assertThat(container.getString("group")).isEqualTo("/pod");
    List<RecordedEvent> recorded = all.stream().filter(event -> !event.equals(container)).toList();
    assertThat(recorded).hasSize(ONE_OF_EACH.size());
    assertThat(recorded).allMatch(event -> event.getLong("task") == 7);
    assertThat(recorded).allMatch(event -> event.getString("operator").equals("Sort"));
    RecordedEvent spill = named(recorded, "io.spillway.Spill");
    assertThat(spill.getLong("bytes")).isEqualTo(65_536);
    assertThat(spill.getDuration("took")).isEqualTo(Duration.ofMillis(5));
    RecordedEvent retry = named(recorded, "io.spillway.Retry");
    assertThat(retry.getInt("fromRow")).isEqualTo(10);
    assertThat(retry.getInt("toRow")).isEqualTo(20);
    assertThat(retry.getString("rung")).isEqualTo("SPLIT");
    assertThat(Files.size(file)).isPositive();
  }

  private static RecordedEvent named(List<RecordedEvent> events, String name) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldLetOneLineASecondPassAndSayHowManyItHeldBack() {
    long[] now = {17};
    LineGate gate = new LineGate(() -> now[0]);

    assertThat(gate.pass()).as("the first").isZero();
    assertThat(IntStream.range(0, 1000).mapToLong(i -> gate.pass()))
        .allMatch(answer -> answer == LineGate.SHUT);
    now[0] += SECOND_NANOS - 1;
    assertThat(gate.pass()).isEqualTo(LineGate.SHUT);
    now[0] += 1;
    assertThat(gate.pass()).isEqualTo(1001);
    now[0] += SECOND_NANOS;
    assertThat(gate.pass()).isZero();
  }

  @Test
  void shouldTellTheOthersWhenOneListenerFails() {
    List<MemoryEvent> heard = new ArrayList<>();
    Listeners all =
        new Listeners(
            List.of(
                event -> {
                  throw new IllegalStateException("deaf, says the test");
                },
                heard::add));

    ONE_OF_EACH.forEach(all::onEvent);

    assertThat(heard).isEqualTo(ONE_OF_EACH);
  }
}
