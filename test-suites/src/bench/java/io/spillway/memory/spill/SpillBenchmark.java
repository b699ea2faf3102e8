package io.spillway.memory.spill;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.apache.commons.io.output.CloseShieldOutputStream;
import org.apache.spark.SparkConf;
import org.apache.spark.io.CompressionCodec;
import org.apache.spark.io.LZ4CompressionCodec;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.storage.DiskBlockManager;
import org.apache.spark.unsafe.Platform;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import scala.Option;

/**
 * Native pages go to a file and come back: through a spill file, with Spark's settings as they are
 * by default, or through nothing but a file channel and the same codec.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class SpillBenchmark {
  /** What one round trip moves, before compression. */
  static final int TOTAL_BYTES = 32 << 20;

  private static final int CHUNK_BYTES = 32 * 1024;

  /** Which of the two is measured. */
  public enum Side {
    /** File channel and codec. */
    BARE,
    /** A spill file. */
    SPILLWAY
  }

  /** Which side. */
  @Param public Side side;

  /** Size of each page in bytes. */
  @Param({"4096", "65536"})
  public int pageBytes;

  private final byte[] chunk = new byte[CHUNK_BYTES];
  private int chunkBytes;
  private DiskBlockManager disk;
  private SpillStore store;
  private CompressionCodec codec;
  private Path directory;
  private long source;
  private long target;

  /** The pages, and a directory that is removed afterwards. */
  @Setup
  public void open() throws IOException {
    directory = Files.createTempDirectory("spillway-bench");
    chunkBytes = Math.min(CHUNK_BYTES, pageBytes);
    SparkConf conf = new SparkConf(false).set("spark.local.dir", directory.toString());
    disk = new DiskBlockManager(conf, true, true);
    store =
        new SpillStore(disk, new SerializerManager(new JavaSerializer(conf), conf, Option.empty()));
    codec = new LZ4CompressionCodec(conf);
    source = Platform.allocateMemory(TOTAL_BYTES);
    target = Platform.allocateMemory(TOTAL_BYTES);
    SpillRows.fill(source, TOTAL_BYTES);
  }

  /** What came back must be what went out. */
  @TearDown(Level.Iteration)
  public void check() {
    for (long at = 0; at < TOTAL_BYTES; at += Long.BYTES) {
      if (Platform.getLong(null, source + at) != Platform.getLong(null, target + at)) {
        throw new IllegalStateException("byte " + at + " did not come back as it was");
      }
    }
    Platform.setMemory(target, (byte) 0, TOTAL_BYTES);
  }

  /** Gives pages and directory back. */
  @TearDown
  public void close() throws IOException {
    Platform.freeMemory(source);
    Platform.freeMemory(target);
    disk.stop();
    Files.deleteIfExists(directory);
  }

  /** Writes all pages, reads all of them, deletes the file. */
  @Benchmark
  public void roundTrip() throws IOException {
    if (side == Side.BARE) {
      bare();
    } else {
      spillFile();
    }
  }

  private void spillFile() throws IOException {
    try (SpillFile file = new SpillFile(store, "benchmark", bytes -> {}, bytes -> {})) {
      SpillSegment segment;
      try (SegmentWriter writer = file.newSegment()) {
        for (int at = 0; at < TOTAL_BYTES; at += pageBytes) {
          writer.write(source + at, pageBytes, pageBytes, pageBytes);
        }
        segment = writer.finish();
      }
      try (SegmentReader reader = file.read(segment)) {
        for (int at = 0; reader.nextCapacity() >= 0; at += pageBytes) {
          reader.readInto(target + at);
        }
      }
    }
  }

  private void bare() throws IOException {
    Path file = directory.resolve("bare");
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE)) {
      OutputStream raw = CloseShieldOutputStream.wrap(Channels.newOutputStream(channel));
      try (OutputStream out = codec.compressedOutputStream(raw)) {
        for (int at = 0; at < TOTAL_BYTES; at += chunkBytes) {
          Platform.copyMemory(null, source + at, chunk, Platform.BYTE_ARRAY_OFFSET, chunkBytes);
          out.write(chunk, 0, chunkBytes);
        }
      }
      channel.position(0);
      InputStream in = codec.compressedInputStream(Channels.newInputStream(channel));
      for (int at = 0; at < TOTAL_BYTES; at += chunkBytes) {
        if (in.readNBytes(chunk, 0, chunkBytes) != chunkBytes) {
          throw new EOFException(file + " is cut short");
        }
        Platform.copyMemory(chunk, Platform.BYTE_ARRAY_OFFSET, null, target + at, chunkBytes);
      }
    }
  }
}
