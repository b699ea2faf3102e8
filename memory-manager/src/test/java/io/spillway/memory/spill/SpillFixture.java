package io.spillway.memory.spill;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.junit.jupiter.params.provider.Arguments;
import scala.Option;

/** Two local directories of Spark's, stores and files in them, and two pages to write and read. */
final class SpillFixture implements AutoCloseable {
  static final long SEED = 20261130;
  static final int CAPACITY = 100_000;

  private final Path first;
  private final Path second;
  private final AtomicLong spilled = new AtomicLong();
  private final AtomicLong stored = new AtomicLong();
  private final List<DiskBlockManager> managers = new ArrayList<>();
  private final long page = Platform.allocateMemory(CAPACITY);
  private final long back = Platform.allocateMemory(CAPACITY);

  SpillFixture(Path first, Path second) {
    this.first = first;
    this.second = second;
  }

  @Override
  public void close() {
    Platform.freeMemory(page);
    Platform.freeMemory(back);
    managers.forEach(DiskBlockManager::stop);
  }

  long page() {
    return page;
  }

  long back() {
    return back;
  }

  AtomicLong spilled() {
    return spilled;
  }

  AtomicLong stored() {
    return stored;
  }

  static Stream<Arguments> codecsAndCiphers() {
    return Stream.of("none", "lz4", "zstd", "snappy")
        .flatMap(codec -> Stream.of(false, true).map(cipher -> Arguments.of(codec, cipher)));
  }

  SparkConf conf(String codec) {
    return new SparkConf(false)
        .set("spark.local.dir", first + "," + second)
        .set("spark.shuffle.spill.compress", Boolean.toString(!codec.equals("none")))
        .set("spark.io.compression.codec", codec.equals("none") ? "lz4" : codec);
  }

  DiskBlockManager disk(SparkConf conf) {
    DiskBlockManager manager = new DiskBlockManager(conf, true, true);
    managers.add(manager);
    return manager;
  }

  SpillStore store(SparkConf conf, boolean encrypted) {
    return new SpillStore(disk(conf), serializers(conf, encrypted));
  }

  static SerializerManager serializers(SparkConf conf, boolean encrypted) {
    Option<byte[]> key =
        encrypted ? Option.apply(CryptoStreamUtils.createKey(conf)) : Option.empty();
    return new SerializerManager(new JavaSerializer(conf), conf, key);
  }

  SpillFile file(SpillStore store) {
    return new SpillFile(store, "task 12 / Sort", spilled::addAndGet, stored::addAndGet);
  }

  void fill(long seed) {
    Random random = new Random(seed);
    for (int at = 0; at + 8 <= CAPACITY; at += 8) {
      // Half of it repeats itself, so that codecs have something to do.
      Platform.putLong(null, page + at, at % 16 == 0 ? 0 : random.nextLong());
    }
  }

  static byte[] bytes(long address, int from, int to) {
    byte[] copy = new byte[to - from];
    Platform.copyMemory(null, address + from, copy, Platform.BYTE_ARRAY_OFFSET, copy.length);
    return copy;
  }

  List<Path> files() throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path root : List.of(first, second)) {
      try (Stream<Path> walk = Files.walk(root)) {
        walk.filter(Files::isRegularFile).forEach(found::add);
      }
    }
    return found;
  }

  /** Descriptors of this process that lead into the local directories. */
  long openDescriptors() throws IOException {
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

  void assertNothingLeft() throws IOException {
    assertThat(files()).isEmpty();
    assertThat(openDescriptors()).isZero();
  }

  /** A disk that takes so many bytes in its first directory. */
  SpillStore fullDisk(SparkConf conf, boolean encrypted, long bytesPerFile, int fullFiles) {
    AtomicInteger opened = new AtomicInteger();
    return new SpillStore(disk(conf), serializers(conf, encrypted)) {
      @Override
      FileChannel open(File target) throws IOException {
        FileChannel real = super.open(target);
        return opened.incrementAndGet() <= fullFiles ? new FullChannel(real, bytesPerFile) : real;
      }
    };
  }
}
