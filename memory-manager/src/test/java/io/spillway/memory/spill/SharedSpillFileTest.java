package io.spillway.memory.spill;

import static io.spillway.memory.spill.SpillFixture.CAPACITY;
import static io.spillway.memory.spill.SpillFixture.SEED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A spill file that one has written is read by others, and nobody's end is another's. */
class SharedSpillFileTest {
  private static final int FRAMES = 3;

  @TempDir private Path first;
  @TempDir private Path second;
  private SpillFixture spills;

  @BeforeEach
  void open() {
    spills = new SpillFixture(first, second);
  }

  @AfterEach
  void close() {
    spills.close();
  }

  /** Writes segments of {@link #FRAMES} frames, whose bytes follow from their numbers. */
  private List<SpillSegment> write(SpillFile file, int segments) throws IOException {
    List<SpillSegment> written = new ArrayList<>();
    for (int segment = 0; segment < segments; segment++) {
      try (SegmentWriter writer = file.newSegment()) {
        for (int frame = 0; frame < FRAMES; frame++) {
          spills.fill(SEED + (long) FRAMES * segment + frame);
          writer.write(spills.page(), CAPACITY, CAPACITY, CAPACITY);
        }
        written.add(writer.finish());
      }
    }
    return written;
  }

  private void assertNextFrame(SegmentReader reader, int number) throws IOException {
    assertThat(reader.nextCapacity()).isEqualTo(CAPACITY);
    reader.readInto(spills.back());
    spills.fill(SEED + number);
    assertThat(SpillFixture.bytes(spills.back(), 0, CAPACITY))
        .as("frame %d", number)
        .isEqualTo(SpillFixture.bytes(spills.page(), 0, CAPACITY));
  }

  @ParameterizedTest(name = "{0}, encrypted: {1}")
  @MethodSource("io.spillway.memory.spill.SpillFixture#codecsAndCiphers")
  void shouldBeReadByEachAtItsOwnPaceWhenSeveralShareIt(String codec, boolean encrypted)
      throws IOException {
    SpillFile file = spills.file(spills.store(spills.conf(codec), encrypted));
    List<SpillSegment> segments = write(file, 2);
    long told = spills.spilled().get();
    try (SharedSpillFile shared = file.share();
        SpillView one = shared.view();
        SpillView other = shared.view()) {
      try (SegmentReader ahead = one.read(segments.get(0));
          SegmentReader behind = other.read(segments.get(0));
          SegmentReader elsewhere = one.read(segments.get(1))) {
        assertNextFrame(ahead, 0);
        assertNextFrame(ahead, 1);
        assertNextFrame(elsewhere, FRAMES);
        assertNextFrame(behind, 0);
        assertNextFrame(ahead, 2);
        assertThat(ahead.nextCapacity()).isEqualTo(-1);
        assertNextFrame(behind, 1);
      }
      assertThat(shared.bytesWritten()).isEqualTo(spills.stored().get()).isPositive();
      assertThat(spills.openDescriptors()).as("a descriptor for each view").isEqualTo(2);
    }
    assertThat(spills.spilled()).as("reading is no spilling").hasValue(told);
    spills.assertNothingLeft();
  }

  @Test
  void shouldGoOnForOthersWhenOneReaderIsInterrupted() throws IOException {
    SpillFile file = spills.file(spills.store(spills.conf("none"), false));
    List<SpillSegment> segments = write(file, 1);
    try (SharedSpillFile shared = file.share();
        SpillView killed = shared.view();
        SpillView other = shared.view();
        SegmentReader lost = killed.read(segments.get(0));
        SegmentReader reader = other.read(segments.get(0))) {
      assertNextFrame(lost, 0);
      assertNextFrame(reader, 0);
      Thread.currentThread().interrupt();
      try {
        assertThatThrownBy(() -> lost.readInto(spills.back()))
            .isInstanceOf(ClosedByInterruptException.class);
      } finally {
        assertThat(Thread.interrupted()).isTrue();
      }

      assertNextFrame(reader, 1);
      assertNextFrame(reader, 2);
    }
    spills.assertNothingLeft();
  }

  /** An interrupt closes the channel that its thread works with: the writer's must be gone. */
  @Test
  void shouldHoldNoDescriptorOfTheWriterWhenItIsShared() throws IOException {
    SpillFile file = spills.file(spills.store(spills.conf("lz4"), false));
    write(file, 1);
    assertThat(spills.openDescriptors()).isEqualTo(1);

    try (SharedSpillFile shared = file.share()) {
      assertThat(spills.openDescriptors()).isZero();
      assertThat(spills.files()).hasSize(1);
      assertThat(shared.isClosed()).isFalse();
    }

    spills.assertNothingLeft();
  }

  @Test
  void shouldBeReadWhereverItsSegmentsAreWhenADirectoryWasFull() throws IOException {
    SpillFile file = spills.file(spills.fullDisk(spills.conf("none"), false, 4L * CAPACITY, 1));
    List<SpillSegment> segments = write(file, 2);
    assertThat(segments).extracting(SpillSegment::part).containsExactly(0, 1);
    try (SharedSpillFile shared = file.share();
        SpillView view = shared.view()) {
      for (int segment = 0; segment < 2; segment++) {
        try (SegmentReader reader = view.read(segments.get(segment))) {
          for (int frame = 0; frame < FRAMES; frame++) {
            assertNextFrame(reader, FRAMES * segment + frame);
          }
        }
      }
    }
    spills.assertNothingLeft();
  }

  @Test
  void shouldFindDamageWhenItIsReadThroughAView() throws IOException {
    SpillFile file = spills.file(spills.store(spills.conf("none"), false));
    List<SpillSegment> segments = write(file, 1);
    try (SharedSpillFile shared = file.share();
        SpillView view = shared.view()) {
      Path path = spills.files().get(0);
      byte[] bytes = Files.readAllBytes(path);
      bytes[bytes.length / 2] ^= 1;
      Files.write(path, bytes);

      assertThatThrownBy(
              () -> {
                try (SegmentReader reader = view.read(segments.get(0))) {
                  while (reader.nextCapacity() > 0) {
                    reader.readInto(spills.back());
                  }
                }
              })
          .isInstanceOf(SpillException.class)
          .hasMessageContaining(path.toString());
    }
    spills.assertNothingLeft();
  }

  @Test
  void shouldRefuseWhatOnlyItsWriterMayWhenItIsShared() throws IOException {
    SpillFile file = spills.file(spills.store(spills.conf("lz4"), false));
    List<SpillSegment> segments = write(file, 1);
    SegmentWriter open = file.newSegment();
    assertThatThrownBy(file::share)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("still open");
    open.close();

    SharedSpillFile shared = file.share();

    assertThatThrownBy(file::newSegment)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is shared");
    assertThatThrownBy(() -> file.read(segments.get(0)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is shared");
    assertThatThrownBy(file::share).isInstanceOf(IllegalStateException.class);
    SpillView view = shared.view();
    assertThatThrownBy(() -> view.read(new SpillSegment(1, 0, 1, 1)))
        .isInstanceOf(IllegalArgumentException.class);
    view.close();
    assertThatThrownBy(() -> view.read(segments.get(0)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is closed");
    shared.close();
    assertThatThrownBy(() -> shared.view().read(segments.get(0)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is closed");
    spills.assertNothingLeft();
  }

  @Test
  void shouldNeedNoFileWhenNothingWasWritten() throws IOException {
    SpillFile file = spills.file(spills.store(spills.conf("lz4"), false));

    try (SharedSpillFile shared = file.share()) {
      assertThat(shared.bytesWritten()).isZero();
      assertThat(spills.files()).isEmpty();
    }
    spills.assertNothingLeft();
  }
}
