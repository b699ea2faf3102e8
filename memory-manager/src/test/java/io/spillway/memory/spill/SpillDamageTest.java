package io.spillway.memory.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A damaged spill file is never taken for data: the failure says where the damage is. */
class SpillDamageTest {
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

  @ParameterizedTest(name = "{0}, encrypted: {1}, seed 20261130")
  @MethodSource("io.spillway.memory.spill.SpillFixture#codecsAndCiphers")
  void shouldNeverTakeAFlippedBitForData(String codec, boolean encrypted) throws IOException {
    Random random = new Random(SEED);
    try (SpillFile file = spills.file(spills.store(spills.conf(codec), encrypted))) {
      spills.fill(SEED);
      SegmentWriter writer = file.newSegment();
      writer.write(spills.page(), 3000, 99_000, CAPACITY);
      writer.write(spills.page(), 2000, 99_000, CAPACITY);
      SpillSegment segment = writer.finish();
      Path stored = spills.files().get(0);
      byte[] whole = Files.readAllBytes(stored);
      for (int round = 0; round < 150; round++) {
        byte[] damaged = whole.clone();
        int bit = random.nextInt(damaged.length * 8);
        damaged[bit / 8] ^= (byte) (1 << bit % 8);
        Files.write(stored, damaged, StandardOpenOption.WRITE);
        assertNeverBelieved(file, segment, stored, "seed " + SEED + ", bit " + bit);
      }
      Files.write(stored, whole, StandardOpenOption.WRITE);
      try (SegmentReader reader = file.read(segment)) {
        reader.readInto(spills.back());
        assertThat(SpillFixture.bytes(spills.back(), 0, 3000))
            .isEqualTo(SpillFixture.bytes(spills.page(), 0, 3000));
      }
    }
  }

  /**
   * Damage is a SpillException that says where; or it hit nothing that matters, such as padding.
   */
  private void assertNeverBelieved(SpillFile file, SpillSegment segment, Path stored, String what)
      throws IOException {
    int frame = 0;
    try (SegmentReader reader = file.read(segment)) {
      for (; reader.nextCapacity() > 0; frame++) {
        reader.readInto(spills.back());
        assertThat(SpillFixture.bytes(spills.back(), 0, 2000))
            .as(what)
            .isEqualTo(SpillFixture.bytes(spills.page(), 0, 2000));
        assertThat(SpillFixture.bytes(spills.back(), 99_000, CAPACITY))
            .as(what)
            .isEqualTo(SpillFixture.bytes(spills.page(), 99_000, CAPACITY));
      }
    } catch (SpillException e) {
      assertThat(e)
          .as(what)
          .hasMessageContaining(stored.toString())
          .hasMessageContaining("segment at 0")
          .hasMessageContaining("frame " + frame + " of 2");
    }
  }

  @Test
  void shouldFindEveryFlippedBitWhereNothingIsPadding() throws IOException {
    Random random = new Random(SEED);
    try (SpillFile file = spills.file(spills.store(spills.conf("none"), false))) {
      spills.fill(SEED);
      SegmentWriter writer = file.newSegment();
      writer.write(spills.page(), 300, CAPACITY - 200, CAPACITY);
      SpillSegment segment = writer.finish();
      assertThat(segment.length()).isEqualTo(500 + Frame.EXTRA_BYTES);
      Path stored = spills.files().get(0);
      byte[] whole = Files.readAllBytes(stored);
      for (int round = 0; round < 300; round++) {
        byte[] damaged = whole.clone();
        int bit = random.nextInt(damaged.length * 8);
        damaged[bit / 8] ^= (byte) (1 << bit % 8);
        Files.write(stored, damaged, StandardOpenOption.WRITE);
        try (SegmentReader reader = file.read(segment)) {
          assertThatThrownBy(() -> reader.readInto(spills.back()))
              .as("seed %s, bit %s", SEED, bit)
              .isInstanceOf(SpillException.class);
        }
      }
    }
  }

  @ParameterizedTest(name = "{0}, encrypted: {1}")
  @MethodSource("io.spillway.memory.spill.SpillFixture#codecsAndCiphers")
  void shouldFindATruncatedFile(String codec, boolean encrypted) throws IOException {
    try (SpillFile file = spills.file(spills.store(spills.conf(codec), encrypted))) {
      spills.fill(SEED);
      SegmentWriter writer = file.newSegment();
      writer.write(spills.page(), CAPACITY, CAPACITY, CAPACITY);
      SpillSegment segment = writer.finish();
      Path stored = spills.files().get(0);
      try (FileChannel channel = FileChannel.open(stored, StandardOpenOption.WRITE)) {
        for (long length = segment.length() / 2; length > 0; length /= 3) {
          channel.truncate(length);
          assertThatThrownBy(() -> readFirst(file, segment))
              .isInstanceOf(SpillException.class)
              .hasMessageContaining(stored.toString())
              .hasMessageContaining("segment at 0 of " + segment.length())
              .hasMessageContaining("frame 0 of 1");
        }
      }
    }
  }

  private void readFirst(SpillFile file, SpillSegment segment) throws IOException {
    try (SegmentReader reader = file.read(segment)) {
      reader.readInto(spills.back());
    }
  }

  /** A header that is whole in itself, but whose lengths are not what was written. */
  @ParameterizedTest
  @CsvSource({"299,800,1000", "300,801,1000", "300,800,999", "0,1000,1000", "1000,1000,1000"})
  void shouldFindAWrongLength(int front, int backFrom, int capacity) throws IOException {
    try (SpillFile file = spills.file(spills.store(spills.conf("none"), false))) {
      spills.fill(SEED);
      SegmentWriter writer = file.newSegment();
      writer.write(spills.page(), 10, 20, 30);
      SpillSegment before = writer.finish();
      writer = file.newSegment();
      writer.write(spills.page(), 300, 800, 1000);
      SpillSegment segment = writer.finish();
      Path stored = spills.files().get(0);
      byte[] written = Files.readAllBytes(stored);
      byte[] forged = new byte[Frame.HEADER_BYTES];
      new Frame(0, front, backFrom, capacity).put(forged);
      System.arraycopy(forged, 0, written, (int) segment.offset(), forged.length);
      Files.write(stored, written, StandardOpenOption.WRITE);

      try (SegmentReader reader = file.read(segment)) {
        assertThatThrownBy(() -> reader.readInto(spills.back()))
            .isInstanceOf(SpillException.class)
            .hasMessageContaining(stored.toString())
            .hasMessageContaining("segment at " + before.length() + " of " + segment.length())
            .hasMessageContaining("frame 0 of 1");
      }
      try (SegmentReader reader = file.read(before)) {
        reader.readInto(spills.back());
        assertThat(reader.nextCapacity()).as("the rest is whole").isEqualTo(-1);
      }
    }
  }

  @Test
  void shouldFindFramesThatChangedPlaces() throws IOException {
    try (SpillFile file = spills.file(spills.store(spills.conf("none"), false))) {
      spills.fill(SEED);
      SegmentWriter writer = file.newSegment();
      writer.write(spills.page(), 100, 1000, 1000);
      writer.write(spills.page(), 100, 1000, 1000);
      SpillSegment segment = writer.finish();
      Path stored = spills.files().get(0);
      byte[] written = Files.readAllBytes(stored);
      int frame = written.length / 2;
      byte[] swapped = new byte[written.length];
      System.arraycopy(written, frame, swapped, 0, frame);
      System.arraycopy(written, 0, swapped, frame, frame);
      Files.write(stored, swapped, StandardOpenOption.WRITE);

      try (SegmentReader reader = file.read(segment)) {
        assertThatThrownBy(() -> reader.readInto(spills.back()))
            .isInstanceOf(SpillException.class)
            .hasMessageContaining("its header is not what was written");
      }
    }
  }
}
