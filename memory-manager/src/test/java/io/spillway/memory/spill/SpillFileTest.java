package io.spillway.memory.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Spilled pages come back as they were, whatever codec and cipher. */
class SpillFileTest {
  private static final long SEED = SpillFixture.SEED;
  private static final int CAPACITY = SpillFixture.CAPACITY;

  @TempDir private Path first;
  @TempDir private Path second;
  private SpillFixture spills;

  @BeforeEach
  void open() {
    spills = new SpillFixture(first, second);
  }

  @AfterEach
  void close() throws IOException {
    spills.close();
  }

  @ParameterizedTest(name = "{0}, encrypted: {1}")
  @MethodSource("io.spillway.memory.spill.SpillFixture#codecsAndCiphers")
  void shouldBringEveryPageBackWhenCodecAndCipherAreOn(String codec, boolean encrypted)
      throws IOException {
    try (SpillFile file = spills.file(spills.store(spills.conf(codec), encrypted))) {
      List<SpillSegment> segments = new ArrayList<>();
      for (int segment = 0; segment < 3; segment++) {
        SegmentWriter writer = file.newSegment();
        for (int frame = 0; frame <= segment; frame++) {
          spills.fill(SEED + 10L * segment + frame);
          writer.write(spills.page(), 40_000 + frame, 90_000, CAPACITY);
        }
        segments.add(writer.finish());
      }
      assertThat(file.bytesWritten())
          .isEqualTo(segments.stream().mapToLong(SpillSegment::length).sum());
      assertThat(spills.spilled()).hasValue(6 * 50_000 + 4);
      assertThat(spills.stored()).hasValue(file.bytesWritten());
      assertThat(spills.files()).hasSize(1);
      assertThat(Files.getPosixFilePermissions(spills.files().get(0)))
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));

      for (int segment = 2; segment >= 0; segment--) {
        try (SegmentReader reader = file.read(segments.get(segment))) {
          for (int frame = 0; frame <= segment; frame++) {
            spills.fill(SEED + 10L * segment + frame);
            assertThat(reader.nextCapacity()).isEqualTo(CAPACITY);
            assertThat(reader.nextCapacity()).isEqualTo(CAPACITY);
            Platform.setMemory(spills.back(), (byte) 0x5a, CAPACITY);
            reader.readInto(spills.back());
            assertThat(SpillFixture.bytes(spills.back(), 0, 40_000 + frame))
                .isEqualTo(SpillFixture.bytes(spills.page(), 0, 40_000 + frame));
            assertThat(SpillFixture.bytes(spills.back(), 90_000, CAPACITY))
                .isEqualTo(SpillFixture.bytes(spills.page(), 90_000, CAPACITY));
            assertThat(SpillFixture.bytes(spills.back(), 40_000 + frame, 90_000))
                .containsOnly(0x5a);
          }
          assertThat(reader.nextCapacity()).isEqualTo(-1);
          assertThatThrownBy(() -> reader.readInto(spills.back()))
              .isInstanceOf(IllegalStateException.class);
        }
      }
    }
    spills.assertNothingLeft();
  }

  @Test
  void shouldTakeEmptyAndFullFrames() throws IOException {
    try (SpillFile file = spills.file(spills.store(spills.conf("lz4"), false))) {
      spills.fill(SEED);
      SegmentWriter writer = file.newSegment();
      writer.write(spills.page(), 0, CAPACITY, CAPACITY);
      writer.write(spills.page(), CAPACITY, CAPACITY, CAPACITY);
      writer.write(spills.page(), 0, 0, CAPACITY);
      SpillSegment segment = writer.finish();
      SpillSegment none = file.newSegment().finish();
      try (SegmentReader reader = file.read(segment)) {
        reader.readInto(spills.back());
        for (int i = 0; i < 2; i++) {
          Platform.setMemory(spills.back(), (byte) 0, CAPACITY);
          reader.readInto(spills.back());
          assertThat(SpillFixture.bytes(spills.back(), 0, CAPACITY))
              .isEqualTo(SpillFixture.bytes(spills.page(), 0, CAPACITY));
        }
        assertThat(reader.nextCapacity()).isEqualTo(-1);
      }
      try (SegmentReader reader = file.read(none)) {
        assertThat(reader.nextCapacity()).isEqualTo(-1);
      }
    }
    spills.assertNothingLeft();
  }

  @Test
  void shouldOverwriteWhatAnAbandonedSegmentWrote() throws IOException {
    try (SpillFile file = spills.file(spills.store(spills.conf("lz4"), false))) {
      spills.fill(SEED);
      SegmentWriter abandoned = file.newSegment();
      abandoned.write(spills.page(), CAPACITY, CAPACITY, CAPACITY);
      assertThatThrownBy(file::newSegment).isInstanceOf(IllegalStateException.class);
      abandoned.close();
      abandoned.close();

      SegmentWriter writer = file.newSegment();
      writer.write(spills.page(), 100, CAPACITY, CAPACITY);
      SpillSegment segment = writer.finish();

      assertThat(segment.offset()).isZero();
      try (SegmentReader reader = file.read(segment)) {
        reader.readInto(spills.back());
        assertThat(SpillFixture.bytes(spills.back(), 0, 100))
            .isEqualTo(SpillFixture.bytes(spills.page(), 0, 100));
        assertThat(reader.nextCapacity()).isEqualTo(-1);
      }
    }
    spills.assertNothingLeft();
  }

  @Test
  void shouldRefuseAFrameThatIsNone() throws IOException {
    try (SpillFile file = spills.file(spills.store(spills.conf("lz4"), false));
        SegmentWriter writer = file.newSegment()) {
      assertThatThrownBy(() -> writer.write(spills.page(), 10, 5, CAPACITY))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> writer.write(spills.page(), -1, 5, CAPACITY))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> writer.write(spills.page(), 0, CAPACITY + 1, CAPACITY))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
