package io.spillway.memory.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkConf;
import org.apache.spark.storage.DiskBlockManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever fails on the way to disk and back, nothing stays behind. */
class SpillFailureTest {
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

  @ParameterizedTest
  @CsvSource({"none,false,0", "none,false,150000", "lz4,false,90000", "zstd,true,90000"})
  void shouldGoOnInTheNextDirectoryWhenADiskIsFull(String codec, boolean encrypted, long bytes)
      throws IOException {
    SpillStore store = spills.fullDisk(spills.conf(codec), encrypted, bytes, 1);
    try (SpillFile file = spills.file(store)) {
      List<SpillSegment> segments = new ArrayList<>();
      for (int segment = 0; segment < 3; segment++) {
        SegmentWriter writer = file.newSegment();
        for (int frame = 0; frame < 2; frame++) {
          spills.fill(SEED + 2L * segment + frame);
          writer.write(spills.page(), 50_000, 60_000, CAPACITY);
        }
        segments.add(writer.finish());
      }
      assertThat(spills.files()).hasSize(2);
      assertThat(segments.get(2).part()).isOne();
      for (int segment = 0; segment < 3; segment++) {
        try (SegmentReader reader = file.read(segments.get(segment))) {
          for (int frame = 0; frame < 2; frame++) {
            spills.fill(SEED + 2L * segment + frame);
            reader.readInto(spills.back());
            assertThat(SpillFixture.bytes(spills.back(), 0, 50_000))
                .isEqualTo(SpillFixture.bytes(spills.page(), 0, 50_000));
            assertThat(SpillFixture.bytes(spills.back(), 60_000, CAPACITY))
                .isEqualTo(SpillFixture.bytes(spills.page(), 60_000, CAPACITY));
          }
        }
      }
    }
    spills.assertNothingLeft();
  }

  @Test
  void shouldSayWhatToDoWhenEveryDiskIsFull() throws IOException {
    try (SpillFile file = spills.file(spills.fullDisk(spills.conf("none"), false, 1000, 2))) {
      SegmentWriter writer = file.newSegment();

      assertThatThrownBy(() -> writer.write(spills.page(), CAPACITY, CAPACITY, CAPACITY))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("task 12 / Sort")
          .hasMessageContaining("No space left on device")
          .hasMessageContaining("spark.local.dir");

      writer.close();
      assertThat(file.bytesWritten()).isZero();
    }
    spills.assertNothingLeft();
  }

  @Test
  void shouldTryTheNextDirectoryWhenOneIsGone() throws IOException {
    DiskBlockManager disk = spills.disk(spills.conf("lz4"));
    // Where the first directory was there is a file now: nothing can be created in it.
    File gone = disk.localDirs()[0];
    assertThat(gone.delete()).isTrue();
    Files.writeString(gone.toPath(), "not a directory");
    try (SpillFile file =
        spills.file(new SpillStore(disk, SpillFixture.serializers(spills.conf("lz4"), false)))) {
      spills.fill(SEED);
      SegmentWriter writer = file.newSegment();
      writer.write(spills.page(), 100, CAPACITY, CAPACITY);
      try (SegmentReader reader = file.read(writer.finish())) {
        reader.readInto(spills.back());
        assertThat(SpillFixture.bytes(spills.back(), 0, 100))
            .isEqualTo(SpillFixture.bytes(spills.page(), 0, 100));
      }
    }
    Files.delete(gone.toPath());
    spills.assertNothingLeft();
  }

  @Test
  void shouldLeaveNothingWhenItIsClosedInTheMiddleOfASegment() throws IOException {
    SpillFile file = spills.file(spills.store(spills.conf("zstd"), true));
    SegmentWriter writer = file.newSegment();
    writer.write(spills.page(), CAPACITY, CAPACITY, CAPACITY);

    file.close();
    file.close();

    spills.assertNothingLeft();
    assertThatThrownBy(file::newSegment)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("task 12 / Sort is closed");
    writer.close();
    spills.assertNothingLeft();
  }

  @Test
  void shouldWriteAPartOfTheBytesBeforeTheDiskIsFull() throws IOException {
    Path target = first.resolve("probe");
    try (FileChannel channel =
        new FullChannel(
            FileChannel.open(target, StandardOpenOption.CREATE, StandardOpenOption.WRITE), 10)) {
      assertThat(channel.write(ByteBuffer.allocate(15), 0)).isEqualTo(10);
      assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(5), 10))
          .isInstanceOf(IOException.class);
    }
    Files.delete(target);
  }

  /** More than a codec buffers. */
  private void writeFrames(SegmentWriter writer) throws IOException {
    for (int frame = 0; frame < 20; frame++) {
      spills.fill(SEED + frame);
      writer.write(spills.page(), CAPACITY, CAPACITY, CAPACITY);
    }
  }

  private void readFrames(SegmentReader reader) throws IOException {
    while (reader.nextCapacity() > 0) {
      reader.readInto(spills.back());
    }
  }

  @ParameterizedTest(name = "{0}, encrypted: {1}")
  @MethodSource("io.spillway.memory.spill.SpillFixture#codecsAndCiphers")
  void shouldNotBlameTheDiskWhenTheTaskIsInterruptedWhileItWrites(String codec, boolean encrypted)
      throws IOException {
    SpillFile file = spills.file(spills.store(spills.conf(codec), encrypted));
    SegmentWriter writer = file.newSegment();
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> writeFrames(writer)).isInstanceOf(ClosedByInterruptException.class);
    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    writer.close();

    assertThat(spills.files()).as("no other directory was tried").hasSize(1);
    assertThat(spills.openDescriptors()).isZero();
    file.close();
    spills.assertNothingLeft();
  }

  @Test
  void shouldLeaveNothingWhenItIsInterruptedBeforeTheFirstByte() throws IOException {
    SpillFile file = spills.file(spills.store(spills.conf("lz4"), true));
    Thread.currentThread().interrupt();

    // A cipher writes its first bytes at once.
    assertThatThrownBy(file::newSegment).isInstanceOf(ClosedByInterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
    file.close();
    spills.assertNothingLeft();
  }

  @ParameterizedTest(name = "{0}, encrypted: {1}")
  @MethodSource("io.spillway.memory.spill.SpillFixture#codecsAndCiphers")
  void shouldNotSpeakOfDamageWhenTheTaskIsInterruptedWhileItReads(String codec, boolean encrypted)
      throws IOException {
    SpillFile file = spills.file(spills.store(spills.conf(codec), encrypted));
    SegmentWriter writer = file.newSegment();
    writeFrames(writer);
    SpillSegment segment = writer.finish();
    try (SegmentReader reader = file.read(segment)) {
      reader.readInto(spills.back());
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> readFrames(reader)).isInstanceOf(ClosedByInterruptException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
    try {
      file.read(segment).close();
    } catch (ClosedChannelException closedByTheInterrupt) {
      assertThat(closedByTheInterrupt).isNotInstanceOf(ClosedByInterruptException.class);
    }
    file.close();
    spills.assertNothingLeft();
  }

  @Test
  void shouldDeleteTheFileWhenWhatAnAbandonedSegmentBufferedHasNoRoom() throws IOException {
    SpillFile file = spills.file(spills.fullDisk(spills.conf("lz4"), false, 0, 2));
    SegmentWriter writer = file.newSegment();
    // So little stays in the codec's buffer, until it is flushed.
    writer.write(spills.page(), 100, 100, 100);
    assertThat(spills.files()).hasSize(1);

    file.close();

    spills.assertNothingLeft();
    writer.close();
    spills.assertNothingLeft();
  }

  @Test
  void shouldWriteNothingMoreWhenASegmentIsAbandoned() throws IOException {
    try (SpillFile file = spills.file(spills.fullDisk(spills.conf("lz4"), false, 0, 1))) {
      SegmentWriter writer = file.newSegment();
      writer.write(spills.page(), 100, 100, 100);

      writer.close();

      assertThat(spills.files()).as("the disk is full, and no other is tried").hasSize(1);
      assertThat(Files.size(spills.files().get(0))).isZero();
    }
    spills.assertNothingLeft();
  }

  @Test
  void shouldDeleteEveryFileWhenClosingOneFails() throws IOException {
    AtomicInteger opened = new AtomicInteger();
    SparkConf conf = spills.conf("none");
    SpillStore store =
        new SpillStore(spills.disk(conf), SpillFixture.serializers(conf, false)) {
          @Override
          FileChannel open(File target) throws IOException {
            long bytes = opened.incrementAndGet() == 1 ? 1000 : Long.MAX_VALUE;
            return new FullChannel(super.open(target), bytes, true);
          }
        };
    SpillFile file = spills.file(store);
    spills.fill(SEED);
    SegmentWriter writer = file.newSegment();
    writer.write(spills.page(), CAPACITY, CAPACITY, CAPACITY);
    writer.finish();
    assertThat(spills.files()).hasSize(2);

    file.close();

    assertThat(opened).hasValue(2);
    spills.assertNothingLeft();
  }

  @Test
  void shouldDeleteTheOtherFilesWhenOneCannotBeDeleted() throws IOException {
    SpillFile file = spills.file(spills.fullDisk(spills.conf("none"), false, 1000, 1));
    SegmentWriter writer = file.newSegment();
    Path stubborn = spills.files().get(0);
    writer.write(spills.page(), CAPACITY, CAPACITY, CAPACITY);
    writer.finish();
    assertThat(spills.files()).hasSize(2);
    // What is a directory now, and not empty, is not deleted as a file.
    Files.delete(stubborn);
    Files.createDirectory(stubborn);
    Path inside = Files.writeString(stubborn.resolve("inside"), "");

    file.close();

    assertThat(spills.files()).containsExactly(inside);
    assertThat(spills.openDescriptors()).isZero();
  }

  /** The second directory has room for a file, but not for what the first one had taken. */
  @Test
  void shouldGoOnInTheThirdDirectoryWhenTheSecondIsFullTooOnTheWay() throws IOException {
    Path third = Files.createDirectory(second.resolve("third"));
    SparkConf conf =
        spills
            .conf("none")
            .set(
                "spark.local.dir",
                first + "," + Files.createDirectory(second.resolve("second")) + "," + third);
    AtomicInteger opened = new AtomicInteger();
    SpillStore store =
        new SpillStore(spills.disk(conf), SpillFixture.serializers(conf, false)) {
          @Override
          FileChannel open(File target) throws IOException {
            FileChannel real = super.open(target);
            return switch (opened.incrementAndGet()) {
              case 1 -> new FullChannel(real, 50_000);
              case 2 -> new FullChannel(real, 10_000);
              default -> real;
            };
          }
        };
    try (SpillFile file = spills.file(store)) {
      SegmentWriter writer = file.newSegment();
      spills.fill(SEED);

      writer.write(spills.page(), CAPACITY, CAPACITY, CAPACITY);

      assertThat(opened).as("files").hasValue(3);
      try (SegmentReader reader = file.read(writer.finish())) {
        reader.readInto(spills.back());
      }
      assertThat(SpillFixture.bytes(spills.back(), 0, CAPACITY))
          .isEqualTo(SpillFixture.bytes(spills.page(), 0, CAPACITY));
    }
    spills.assertNothingLeft();
  }

  @Test
  void shouldGoOnInTheNextDirectoryWhenTheDiskThatRefusesCannotEvenCutTheFile() throws IOException {
    AtomicInteger opened = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    SparkConf conf = spills.conf("none");
    SpillStore store =
        new SpillStore(spills.disk(conf), SpillFixture.serializers(conf, false)) {
          @Override
          FileChannel open(File target) throws IOException {
            long bytes = opened.incrementAndGet() == 1 ? 50_000 : Long.MAX_VALUE;
            return new FullChannel(super.open(target), bytes) {
              @Override
              public FileChannel truncate(long size) throws IOException {
                refused.incrementAndGet();
                throw new IOException("Input/output error");
              }
            };
          }
        };
    try (SpillFile file = spills.file(store)) {
      SegmentWriter writer = file.newSegment();
      spills.fill(SEED);

      writer.write(spills.page(), CAPACITY, CAPACITY, CAPACITY);

      assertThat(refused).as("cuts of the first file").hasValue(1);
      try (SegmentReader reader = file.read(writer.finish())) {
        reader.readInto(spills.back());
      }
      assertThat(SpillFixture.bytes(spills.back(), 0, CAPACITY))
          .isEqualTo(SpillFixture.bytes(spills.page(), 0, CAPACITY));
      assertThat(opened).as("files").hasValue(2);
    }
    spills.assertNothingLeft();
  }

  @Test
  void shouldCountNoSegmentOfWhichAFrameCouldNotBeWritten() throws IOException {
    try (SpillFile file = spills.file(spills.fullDisk(spills.conf("none"), false, 1000, 2))) {
      SegmentWriter writer = file.newSegment();
      assertThatThrownBy(() -> writer.write(spills.page(), CAPACITY, CAPACITY, CAPACITY))
          .isInstanceOf(IOException.class);

      assertThatThrownBy(() -> writer.write(spills.page(), 0, CAPACITY, CAPACITY))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("failed");
      assertThatThrownBy(writer::finish)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("failed");

      writer.close();
      assertThat(file.bytesWritten()).isZero();
    }
    spills.assertNothingLeft();
  }
}
