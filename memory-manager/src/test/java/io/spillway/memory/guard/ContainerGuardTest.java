package io.spillway.memory.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.memory.event.MemoryEvent;
import io.spillway.memory.event.MemoryEvent.ContainerPressure;
import io.spillway.memory.guard.GuardStatus.Phase;
import io.spillway.memory.guard.MemoryReader.Reading;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Episodes of pressure, over figures and a clock that the test makes up. */
class ContainerGuardTest {
  /** So long that the guard's own thread does not look during a test. */
  private static final GuardSettings SETTINGS = new GuardSettings(true, 0.92, 0.85, 60_000);

  private final List<MemoryEvent> events = new ArrayList<>();
  private final List<Long> shed = new ArrayList<>();
  private final AtomicInteger looks = new AtomicInteger();
  private long usedBytes;
  private long ledgerBytes;
  private long nanos;
  private boolean unreadable;
  private final ContainerGuard guard = new ContainerGuard(SETTINGS, this::read, () -> nanos);

  private Reading read() throws IOException {
    looks.incrementAndGet();
    if (unreadable) {
      throw new IOException("unreadable, says the test");
    }
    return new Reading("/pod", usedBytes, 1000, 600);
  }

  private void start() {
    guard.start(() -> ledgerBytes, shed::add, events::add);
  }

  private boolean lookAt(long used) {
    usedBytes = used;
    guard.look();
    return guard.isRefusing();
  }

  @AfterEach
  void close() {
    guard.close();
  }

  @Test
  void shouldRefuseFromAboveTheUpperMarkUntilBelowTheLower() {
    start();
    assertThat(lookAt(920)).as("at the upper mark").isFalse();
    assertThat(lookAt(921)).as("above it").isTrue();
    assertThat(lookAt(900)).as("between, on the way down").isTrue();
    assertThat(lookAt(850)).as("at the lower mark").isTrue();
    assertThat(lookAt(849)).as("below it").isFalse();
    assertThat(lookAt(900)).as("between, on the way up").isFalse();
    assertThat(lookAt(930)).as("above it again").isTrue();
    assertThat(guard.status())
        .isEqualTo(new GuardStatus(Phase.REFUSING, "", "/pod", 930, 1000, 600, 2));
  }

  @Test
  void shouldTellOnceWhenAnEpisodeBeginsAndOnceWhenItEnds() {
    start();
    ledgerBytes = 300;
    nanos = 5_000;
    lookAt(950);
    nanos = 9_000;
    lookAt(960);
    lookAt(870);
    ledgerBytes = 200;
    lookAt(800);
    lookAt(800);

    assertThat(events)
        .containsExactly(
            new ContainerPressure(true, "/pod", 950, 600, 1000, 300, 0),
            new ContainerPressure(false, "/pod", 800, 600, 1000, 200, 4_000));
  }

  @Test
  void shouldAskForWhatLeadsBelowTheLowerMarkAtEachLookOfAnEpisode() {
    start();
    lookAt(900);
    assertThat(shed).as("no episode, no request").isEmpty();
    lookAt(950);
    lookAt(870);
    lookAt(800);
    assertThat(shed).as("the last takes the request back").containsExactly(101L, 21L, 0L);
  }

  @Test
  void shouldAdmitGrowthWithoutALookWhenThereIsRoom() {
    usedBytes = 500;
    start();
    int before = looks.get();

    assertThat(Stream.of(1L, 100L, 420L)).allMatch(guard::admits);
    assertThat(looks).hasValue(before);
  }

  @Test
  void shouldCountWhatTasksTookSinceTheLastLook() {
    usedBytes = 500;
    start();
    ledgerBytes = 400;
    usedBytes = 900;
    int before = looks.get();

    assertThat(guard.admits(20)).as("500 + 400 + 20 is not above the mark").isTrue();
    assertThat(looks).hasValue(before);
    assertThat(guard.admits(21)).isFalse();
    assertThat(looks).as("it looked before it refused").hasValue(before + 1);
    assertThat(guard.isRefusing()).isTrue();
  }

  @Test
  void shouldAdmitAgainWithoutWaitingForItsThreadWhenATaskHasSpilled() {
    start();
    lookAt(950);
    usedBytes = 700;

    assertThat(guard.admits(10)).isTrue();
    assertThat(guard.isRefusing()).isFalse();
  }

  @Test
  void shouldRefuseOnlyTheRequestWhenItIsTooLargeForAContainerWithRoom() {
    usedBytes = 500;
    start();

    assertThat(guard.admits(600)).isFalse();
    assertThat(guard.isRefusing()).isFalse();
    assertThat(guard.admits(100)).isTrue();
    assertThat(events).isEmpty();
    assertThat(shed).isEmpty();
    assertThat(guard.explain(600)).contains("500 bytes used of the limit 1000 of /pod");
    assertThat(guard.explain(100)).isEmpty();
  }

  @Test
  void shouldLetTasksGrowWhenItCannotReadAnyMore() {
    start();
    lookAt(950);
    unreadable = true;
    guard.look();

    assertThat(guard.isRefusing()).isFalse();
    assertThat(guard.admits(1_000_000)).isTrue();
    assertThat(shed).endsWith(0L);
    assertThat(events).hasSize(2);

    unreadable = false;
    assertThat(lookAt(950)).as("it can read again").isTrue();
  }

  @Test
  void shouldLookByItselfUntilItIsClosed() {
    GuardSettings often = new GuardSettings(true, 0.92, 0.85, 1);
    ContainerGuard watching = new ContainerGuard(often, this::read, System::nanoTime);
    watching.start(() -> 0, bytes -> {}, event -> {});
    await("looks of the guard's thread").until(() -> looks.get() > 5);

    watching.close();
    watching.close();

    int after = looks.get();
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().equals("spillway-container-guard"))
        .isEmpty();
    assertThat(looks).hasValue(after);
  }

  @Test
  void shouldGoOnLookingWhenWhatItAsksForFails() {
    GuardSettings often = new GuardSettings(true, 0.92, 0.85, 1);
    ContainerGuard watching = new ContainerGuard(often, this::read, System::nanoTime);
    AtomicInteger asked = new AtomicInteger();
    watching.start(
        () -> 0,
        bytes -> {
          asked.incrementAndGet();
          throw new IllegalStateException("no way to free anything, says the test");
        },
        event -> {});
    usedBytes = 950;

    await("it asks again").until(() -> asked.get() > 5);

    watching.close();
  }
}
