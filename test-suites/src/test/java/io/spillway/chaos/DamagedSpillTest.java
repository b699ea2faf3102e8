package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.spillway.memory.spill.SegmentReader;
import io.spillway.memory.spill.SegmentWriter;
import io.spillway.memory.spill.SpillException;
import io.spillway.memory.spill.SpillFile;
import io.spillway.memory.spill.SpillSegment;
import io.spillway.memory.spill.SpillStore;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.storage.DiskBlockManager;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Option;

/** Damage that the agent does to Spillway's real spill files is found and never taken for data. */
class DamagedSpillTest {
  private static final long SEED = 20261130;
  private static final int CAPACITY = 200_000;
  private static final int FRAMES = 4;

  @TempDir private Path local;
  @TempDir private Path out;
  private DiskBlockManager disk;
  private SpillFile spill;
  private long page;

  @BeforeEach
  void takePage() {
    page = Platform.allocateMemory(CAPACITY);
  }

  @AfterEach
  void leaveNothing() throws IOException {
    ChaosAgent.uninstall();
    Platform.freeMemory(page);
    spill.close();
    assertThat(files()).isEmpty();
    disk.stop();
  }

  static List<Arguments> damages() {
    List<Arguments> damages = new ArrayList<>();
    for (String codec : List.of("none", "lz4", "zstd", "snappy")) {
      for (int call = 1; call <= FRAMES; call++) {
        damages.add(Arguments.of("short-write", "spill.write", codec, call));
        damages.add(Arguments.of("flipped-byte", "spill.write", codec, call));
      }
      for (int call = 1; call <= 2; call++) {
        damages.add(Arguments.of("truncated-read", "spill.read", codec, call));
        damages.add(Arguments.of("flipped-byte", "spill.read", codec, call));
      }
    }
    return damages;
  }

  @ParameterizedTest(name = "{0} at call {3} of {1}, codec {2}")
  @MethodSource("damages")
  void shouldNameFileSegmentAndFrameWhenBytesAreDamaged(
      String fault, String point, String codec, int call) throws IOException {
    spill = new SpillFile(store(codec), "task 7 / Sort", bytes -> {}, bytes -> {});
    ChaosController chaos = arm(point, fault, call);
    SpillSegment segment = write();
    String file = files().get(0);
    Throwable thrown = catchThrowable(() -> read(segment));
    assertThat(chaos.rules().get(0).fired()).isEqualTo(1);
    assertThat(thrown)
        .isInstanceOf(SpillException.class)
        .hasNoSuppressedExceptions()
        .hasMessageStartingWith("Spill file " + file + ", segment at 0 of " + segment.length())
        .hasMessageMatching("(?s).* bytes, frame [0-3] of 4: .*Nothing of it is used;.*");
    // Spark ends an executor for an error among the causes, however deep.
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      assertThat(cause).isInstanceOf(Exception.class);
    }
  }

  @ParameterizedTest(name = "interrupt at {0}")
  @ValueSource(strings = {"spill.open", "spill.write", "spill.flush", "spill.read"})
  void shouldSayThatTheTaskIsBeingKilledWhenItsThreadIsInterrupted(String point)
      throws IOException {
    spill = new SpillFile(store("none"), "task 7 / Sort", bytes -> {}, bytes -> {});
    ChaosController chaos = arm(point, "interrupt", 1);
    Throwable thrown =
        catchThrowable(
            () -> {
              read(write());
              // The flush of a file without a codec is no call to the disk: the next write is.
              write();
            });
    assertThat(Thread.interrupted()).as("the interrupt is still set").isTrue();
    assertThat(chaos.rules().get(0).fired()).isEqualTo(1);
    assertThat(thrown).isInstanceOf(ClosedByInterruptException.class);
  }

  private ChaosController arm(String point, String fault, int call) {
    String yaml =
        """
        version: 1
        seed: %d
        rules:
          - {point: %s, fault: %s, when: {nth: %d}, where: {outsideTask: true}}
        """
            .formatted(SEED, point, fault, call);
    return ChaosAgent.arm(FaultPlan.parse("test", yaml), out, ByteBuddyAgent.install());
  }

  private SpillSegment write() throws IOException {
    Random random = new Random(SEED);
    try (SegmentWriter writer = spill.newSegment()) {
      for (int frame = 0; frame < FRAMES; frame++) {
        for (int at = 0; at < CAPACITY; at += Long.BYTES) {
          // Half of it random, so that codecs have something to do and something to keep.
          Platform.putLong(null, page + at, at % 32 == 0 ? random.nextLong() : frame);
        }
        writer.write(page, CAPACITY / 2, CAPACITY / 2, CAPACITY);
      }
      return writer.finish();
    }
  }

  private void read(SpillSegment segment) throws IOException {
    try (SegmentReader reader = spill.read(segment)) {
      while (reader.nextCapacity() >= 0) {
        reader.readInto(page);
      }
    }
  }

  private SpillStore store(String codec) {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.local.dir", local.toString())
            .set("spark.shuffle.spill.compress", Boolean.toString(!codec.equals("none")))
            .set("spark.io.compression.codec", codec.equals("none") ? "lz4" : codec);
    disk = new DiskBlockManager(conf, true, true);
    return new SpillStore(
        disk, new SerializerManager(new JavaSerializer(conf), conf, Option.empty()));
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(local)) {
      return files.filter(Files::isRegularFile).map(Path::toString).toList();
    }
  }
}
