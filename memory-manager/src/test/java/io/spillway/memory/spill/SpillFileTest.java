package io.spillway.memory.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.security.CryptoStreamUtils;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.storage.DiskBlockManager;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Option;

/** Spilled pages come back as they were, or not at all; and nothing of them stays behind. */
class SpillFileTest {
  private static final long SEED = 20261130;
  private static final int CAPACITY = 100_000;

  @TempDir private Path first;
  @TempDir private Path second;
  private final AtomicLong spilled = new AtomicLong();
  private final AtomicLong stored = new AtomicLong();
  private final List<DiskBlockManager> managers = new ArrayList<>();
  private long page;
  private long back;

  @BeforeEach
  void takePages() {
    page = Platform.allocateMemory(CAPACITY);
    back = Platform.allocateMemory(CAPACITY);
  }

  @AfterEach
  void freePages() throws IOException {
    Platform.freeMemory(page);
    Platform.freeMemory(back);
    for (DiskBlockManager manager : managers) {
      manager.stop();
    }
  }

  private SparkConf conf(String codec) {
    return new SparkConf(false)
        .set("spark.local.dir", first + "," + second)
        .set("spark.shuffle.spill.compress", Boolean.toString(!codec.equals("none")))
        .set("spark.io.compression.codec", codec.equals("none") ? "lz4" : codec);
  }

  private DiskBlockManager disk(SparkConf conf) {
    DiskBlockManager manager = new DiskBlockManager(conf, true, true);
    managers.add(manager);
    return manager;
  }

  private SpillStore store(SparkConf conf, boolean encrypted) {
    return new SpillStore(disk(conf), serializers(conf, encrypted));
  }

  private static SerializerManager serializers(SparkConf conf, boolean encrypted) {
    Option<byte[]> key =
        encrypted ? Option.apply(CryptoStreamUtils.createKey(conf)) : Option.empty();
    return new SerializerManager(new JavaSerializer(conf), conf, key);
  }

  private SpillFile file(SpillStore store) {
    return new SpillFile(store, "task 12 / Sort", spilled::addAndGet, stored::addAndGet);
  }

  private void fill(long seed) {
    Random random = new Random(seed);
    for (int at = 0; at + 8 <= CAPACITY; at += 8) {
      // Half of it repeats itself, so that codecs have something to do.
      Platform.putLong(null, page + at, at % 16 == 0 ? 0 : random.nextLong());
    }
  }

  private static byte[] bytes(long address, int from, int to) {
    byte[] copy = new byte[to - from];
    Platform.copyMemory(null, address + from, copy, Platform.BYTE_ARRAY_OFFSET, copy.length);
    return copy;
  }

  private List<Path> files() throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path root : List.of(first, second)) {
      try (Stream<Path> walk = Files.walk(root)) {
        walk.filter(Files::isRegularFile).forEach(found::add);
      }
    }
    return found;
  }

  /** Descriptors of this process that lead into the local directories. */
  private long openDescriptors() throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.filter(this::leadsIntoLocalDirectories).count();
    }
  }

  private boolean leadsIntoLocalDirectories(Path descriptor) {
    try {
      Path target = Files.readSymbolicLink(descriptor);
      return target.startsWith(first) || target.startsWith(second);
    } catch (IOException closedMeanwhile) {
      return false;
    }
  }

  private void assertNothingLeft() throws IOException {
    assertThat(files()).isEmpty();
    assertThat(openDescriptors()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "none,false",
    "lz4,false",
    "zstd,false",
    "snappy,false",
    "none,true",
    "lz4,true",
    "zstd,true"
  })
  void shouldBringEveryPageBackWhenCodecAndCipherAreOn(String codec, boolean encrypted)
      throws IOException {
    try (SpillFile file = file(store(conf(codec), encrypted))) {
      List<SpillSegment> segments = new ArrayList<>();
      for (int segment = 0; segment < 3; segment++) {
        SegmentWriter writer = file.newSegment();
        for (int frame = 0; frame <= segment; frame++) {
          fill(SEED + 10L * segment + frame);
          writer.write(page, 40_000 + frame, 90_000, CAPACITY);
        }
        segments.add(writer.finish());
      }
      assertThat(file.bytesWritten())
          .isEqualTo(segments.stream().mapToLong(SpillSegment::length).sum());
      assertThat(spilled).hasValue(6 * 50_000 + 4);
      assertThat(stored).hasValue(file.bytesWritten());
      assertThat(files()).hasSize(1);
      assertThat(Files.getPosixFilePermissions(files().get(0)))
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));

      for (int segment = 2; segment >= 0; segment--) {
        try (SegmentReader reader = file.read(segments.get(segment))) {
          for (int frame = 0; frame <= segment; frame++) {
            fill(SEED + 10L * segment + frame);
            assertThat(reader.nextCapacity()).isEqualTo(CAPACITY);
            assertThat(reader.nextCapacity()).isEqualTo(CAPACITY);
            Platform.setMemory(back, (byte) 0x5a, CAPACITY);
            reader.readInto(back);
            assertThat(bytes(back, 0, 40_000 + frame)).isEqualTo(bytes(page, 0, 40_000 + frame));
            assertThat(bytes(back, 90_000, CAPACITY)).isEqualTo(bytes(page, 90_000, CAPACITY));
            assertThat(bytes(back, 40_000 + frame, 90_000)).containsOnly(0x5a);
          }
          assertThat(reader.nextCapacity()).isEqualTo(-1);
          assertThatThrownBy(() -> reader.readInto(back)).isInstanceOf(IllegalStateException.class);
        }
      }
    }
    assertNothingLeft();
  }

  @Test
  void shouldTakeEmptyAndFullFrames() throws IOException {
    try (SpillFile file = file(store(conf("lz4"), false))) {
      fill(SEED);
      SegmentWriter writer = file.newSegment();
      writer.write(page, 0, CAPACITY, CAPACITY);
      writer.write(page, CAPACITY, CAPACITY, CAPACITY);
      writer.write(page, 0, 0, CAPACITY);
      SpillSegment segment = writer.finish();
      SpillSegment none = file.newSegment().finish();
      try (SegmentReader reader = file.read(segment)) {
        reader.readInto(back);
        for (int i = 0; i < 2; i++) {
          Platform.setMemory(back, (byte) 0, CAPACITY);
          reader.readInto(back);
          assertThat(bytes(back, 0, CAPACITY)).isEqualTo(bytes(page, 0, CAPACITY));
        }
        assertThat(reader.nextCapacity()).isEqualTo(-1);
      }
      try (SegmentReader reader = file.read(none)) {
        assertThat(reader.nextCapacity()).isEqualTo(-1);
      }
    }
    assertNothingLeft();
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "lz4", "zstd"})
  void shouldNeverTakeAFlippedBitForData(String codec) throws IOException {
    Random random = new Random(SEED);
    try (SpillFile file = file(store(conf(codec), codec.equals("none")))) {
      fill(SEED);
      SegmentWriter writer = file.newSegment();
      writer.write(page, 3000, 99_000, CAPACITY);
      writer.write(page, 2000, 99_000, CAPACITY);
      SpillSegment segment = writer.finish();
      Path stored = files().get(0);
      byte[] whole = Files.readAllBytes(stored);
      for (int round = 0; round < 300; round++) {
        byte[] damaged = whole.clone();
        int bit = random.nextInt(damaged.length * 8);
        damaged[bit / 8] ^= (byte) (1 << bit % 8);
        Files.write(stored, damaged, StandardOpenOption.WRITE);
        assertNeverBelieved(file, segment, stored, "seed " + SEED + ", bit " + bit);
      }
      Files.write(stored, whole, StandardOpenOption.WRITE);
      try (SegmentReader reader = file.read(segment)) {
        reader.readInto(back);
        assertThat(bytes(back, 0, 3000)).isEqualTo(bytes(page, 0, 3000));
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
        reader.readInto(back);
        assertThat(bytes(back, 0, 2000)).as(what).isEqualTo(bytes(page, 0, 2000));
        assertThat(bytes(back, 99_000, CAPACITY)).as(what).isEqualTo(bytes(page, 99_000, CAPACITY));
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
    try (SpillFile file = file(store(conf("none"), false))) {
      fill(SEED);
      SegmentWriter writer = file.newSegment();
      writer.write(page, 300, CAPACITY - 200, CAPACITY);
      SpillSegment segment = writer.finish();
      assertThat(segment.length()).isEqualTo(500 + Frame.EXTRA_BYTES);
      Path stored = files().get(0);
      byte[] whole = Files.readAllBytes(stored);
      for (int round = 0; round < 300; round++) {
        byte[] damaged = whole.clone();
        int bit = random.nextInt(damaged.length * 8);
        damaged[bit / 8] ^= (byte) (1 << bit % 8);
        Files.write(stored, damaged, StandardOpenOption.WRITE);
        try (SegmentReader reader = file.read(segment)) {
          assertThatThrownBy(() -> reader.readInto(back))
              .as("seed %s, bit %s", SEED, bit)
              .isInstanceOf(SpillException.class);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "lz4", "zstd"})
  void shouldFindATruncatedFile(String codec) throws IOException {
    try (SpillFile file = file(store(conf(codec), false))) {
      fill(SEED);
      SegmentWriter writer = file.newSegment();
      writer.write(page, CAPACITY, CAPACITY, CAPACITY);
      SpillSegment segment = writer.finish();
      try (FileChannel channel = FileChannel.open(files().get(0), StandardOpenOption.WRITE)) {
        for (long length = segment.length() / 2; length > 0; length /= 3) {
          channel.truncate(length);
          try (SegmentReader reader = file.read(segment)) {
            assertThatThrownBy(() -> reader.readInto(back))
                .isInstanceOf(SpillException.class)
                .hasMessageContaining("frame 0 of 1");
          }
        }
      }
    }
  }

  /** A disk that takes so many bytes in its first directory. */
  private SpillStore fullDisk(SparkConf conf, boolean encrypted, long bytesPerFile, int fullFiles) {
    AtomicInteger opened = new AtomicInteger();
    return new SpillStore(disk(conf), serializers(conf, encrypted)) {
      @Override
      FileChannel open(File target) throws IOException {
        FileChannel real = super.open(target);
        return opened.incrementAndGet() <= fullFiles ? new FullChannel(real, bytesPerFile) : real;
      }
    };
  }

  @ParameterizedTest
  @CsvSource({"none,false,0", "none,false,150000", "lz4,false,90000", "zstd,true,90000"})
  void shouldGoOnInTheNextDirectoryWhenADiskIsFull(String codec, boolean encrypted, long bytes)
      throws IOException {
    SpillStore store = fullDisk(conf(codec), encrypted, bytes, 1);
    try (SpillFile file = file(store)) {
      List<SpillSegment> segments = new ArrayList<>();
      for (int segment = 0; segment < 3; segment++) {
        SegmentWriter writer = file.newSegment();
        for (int frame = 0; frame < 2; frame++) {
          fill(SEED + 2L * segment + frame);
          writer.write(page, 50_000, 60_000, CAPACITY);
        }
        segments.add(writer.finish());
      }
      assertThat(files()).hasSize(2);
      assertThat(segments.get(2).part()).isOne();
      for (int segment = 0; segment < 3; segment++) {
        try (SegmentReader reader = file.read(segments.get(segment))) {
          for (int frame = 0; frame < 2; frame++) {
            fill(SEED + 2L * segment + frame);
            reader.readInto(back);
            assertThat(bytes(back, 0, 50_000)).isEqualTo(bytes(page, 0, 50_000));
            assertThat(bytes(back, 60_000, CAPACITY)).isEqualTo(bytes(page, 60_000, CAPACITY));
          }
        }
      }
    }
    assertNothingLeft();
  }

  @Test
  void shouldSayWhatToDoWhenEveryDiskIsFull() throws IOException {
    try (SpillFile file = file(fullDisk(conf("none"), false, 1000, 2))) {
      SegmentWriter writer = file.newSegment();

      assertThatThrownBy(() -> writer.write(page, CAPACITY, CAPACITY, CAPACITY))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("task 12 / Sort")
          .hasMessageContaining("No space left on device")
          .hasMessageContaining("spark.local.dir");

      writer.close();
      assertThat(file.bytesWritten()).isZero();
    }
    assertNothingLeft();
  }

  @Test
  void shouldTryTheNextDirectoryWhenOneIsGone() throws IOException {
    DiskBlockManager disk = disk(conf("lz4"));
    // Where the first directory was there is a file now: nothing can be created in it.
    File gone = disk.localDirs()[0];
    assertThat(gone.delete()).isTrue();
    Files.writeString(gone.toPath(), "not a directory");
    try (SpillFile file = file(new SpillStore(disk, serializers(conf("lz4"), false)))) {
      fill(SEED);
      SegmentWriter writer = file.newSegment();
      writer.write(page, 100, CAPACITY, CAPACITY);
      try (SegmentReader reader = file.read(writer.finish())) {
        reader.readInto(back);
        assertThat(bytes(back, 0, 100)).isEqualTo(bytes(page, 0, 100));
      }
    }
    Files.delete(gone.toPath());
    assertNothingLeft();
  }

  @Test
  void shouldOverwriteWhatAnAbandonedSegmentWrote() throws IOException {
    try (SpillFile file = file(store(conf("lz4"), false))) {
      fill(SEED);
      SegmentWriter abandoned = file.newSegment();
      abandoned.write(page, CAPACITY, CAPACITY, CAPACITY);
      assertThatThrownBy(file::newSegment).isInstanceOf(IllegalStateException.class);
      abandoned.close();
      abandoned.close();

      SegmentWriter writer = file.newSegment();
      writer.write(page, 100, CAPACITY, CAPACITY);
      SpillSegment segment = writer.finish();

      assertThat(segment.offset()).isZero();
      try (SegmentReader reader = file.read(segment)) {
        reader.readInto(back);
        assertThat(bytes(back, 0, 100)).isEqualTo(bytes(page, 0, 100));
        assertThat(reader.nextCapacity()).isEqualTo(-1);
      }
    }
    assertNothingLeft();
  }

  @Test
  void shouldLeaveNothingWhenItIsClosedInTheMiddleOfASegment() throws IOException {
    SpillFile file = file(store(conf("zstd"), true));
    SegmentWriter writer = file.newSegment();
    writer.write(page, CAPACITY, CAPACITY, CAPACITY);

    file.close();
    file.close();

    assertNothingLeft();
    assertThatThrownBy(file::newSegment)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("task 12 / Sort is closed");
    writer.close();
    assertNothingLeft();
  }

  @Test
  void shouldRefuseAFrameThatIsNone() throws IOException {
    try (SpillFile file = file(store(conf("lz4"), false));
        SegmentWriter writer = file.newSegment()) {
      assertThatThrownBy(() -> writer.write(page, 10, 5, CAPACITY))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> writer.write(page, -1, 5, CAPACITY))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> writer.write(page, 0, CAPACITY + 1, CAPACITY))
          .isInstanceOf(IllegalArgumentException.class);
    }
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
}
