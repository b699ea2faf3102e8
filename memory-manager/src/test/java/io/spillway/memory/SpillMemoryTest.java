package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.memory.spill.SegmentReader;
import io.spillway.memory.spill.SegmentWriter;
import io.spillway.memory.spill.SpillException;
import io.spillway.memory.spill.SpillFile;
import io.spillway.memory.spill.SpillSegment;
import io.spillway.memory.spill.SpillStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkConf;
import org.apache.spark.security.CryptoStreamUtils;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.storage.DiskBlockManager;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Option;

/** Spilling needs no new memory: no block, and nothing of Spark, while pages go to disk. */
class SpillMemoryTest {
  private static final int PAGE_BYTES = (int) (64 * KIB);
  private static final int PAGES = 100;

  @TempDir private Path directory;
  private final AtomicInteger blocksTaken = new AtomicInteger();
  private final AtomicInteger sparkCalls = new AtomicInteger();

  private final PageSource pages =
      new PageSource() {
        @Override
        long allocate(long bytes) {
          blocksTaken.incrementAndGet();
          return super.allocate(bytes);
        }
      };

  /** Writes its pages out, and looks at all books before and after each page. */
  private final class State implements Spillable {
    private final Fixture fixture;
    private final SpillFile file;
    private final Deque<NativeBlock> live = new ArrayDeque<>();
    private final List<SpillSegment> segments = new ArrayList<>();
    private int spills;

    State(Fixture fixture, SpillFile file) {
      this.fixture = fixture;
      this.file = file;
    }

    @Override
    public long spill(long bytes) {
      spills++;
      int blocksBefore = blocksTaken.get();
      int callsBefore = sparkCalls.get();
      long ledgerBefore = fixture.executor.snapshot().usedBytes();
      long sparkBefore = fixture.sparkBytes();
      try (SegmentWriter writer = file.newSegment()) {
        for (NativeBlock page : live) {
          writer.write(page.address(), PAGE_BYTES, PAGE_BYTES, PAGE_BYTES);
        }
        segments.add(writer.finish());
      } catch (IOException e) {
        throw new SpillException("state", e);
      }
      assertThat(blocksTaken).as("blocks taken while it writes").hasValue(blocksBefore);
      assertThat(sparkCalls).as("calls into Spark while it writes").hasValue(callsBefore);
      assertThat(fixture.executor.snapshot().usedBytes()).isEqualTo(ledgerBefore);
      assertThat(fixture.sparkBytes()).isEqualTo(sparkBefore);
      long freed = 0;
      while (!live.isEmpty()) {
        freed += live.peek().size();
        live.remove().close();
      }
      assertThat(blocksTaken).as("blocks taken while it frees").hasValue(blocksBefore);
      return freed;
    }
  }

  private SpillStore store(SparkConf conf, DiskBlockManager disk, boolean encrypted) {
    Option<byte[]> key =
        encrypted ? Option.apply(CryptoStreamUtils.createKey(conf)) : Option.empty();
    return new SpillStore(disk, new SerializerManager(new JavaSerializer(conf), conf, key));
  }

  @ParameterizedTest(name = "{0}, encrypted: {1}")
  @CsvSource({"lz4,false", "lz4,true", "zstd,true", "snappy,false"})
  void shouldTakeNoMemoryWhenItSpills(String codec, boolean encrypted) throws IOException {
    SparkConf conf =
        SparkTask.conf(2 * MIB)
            .set("spark.local.dir", directory.toString())
            .set("spark.io.compression.codec", codec);
    DiskBlockManager disk = new DiskBlockManager(conf, true, true);
    try (Fixture fixture = new Fixture(conf, pages);
        SpillFile file =
            new SpillFile(store(conf, disk, encrypted), "test", bytes -> {}, bytes -> {})) {
      SparkTask task = fixture.task();
      task.onCall(sparkCalls::incrementAndGet);
      State state = new State(fixture, file);
      OperatorMemory memory = fixture.executor.openTask(task.context()).operator("State", state);
      for (int i = 0; i < PAGES; i++) {
        NativeBlock page = memory.allocate(PAGE_BYTES);
        Platform.setMemory(page.address(), (byte) i, PAGE_BYTES);
        state.live.add(page);
      }
      assertThat(state.spills).as("it did spill").isPositive();
      state.spill(Long.MAX_VALUE);

      int read = 0;
      try (NativeBlock page = memory.allocate(PAGE_BYTES)) {
        for (SpillSegment segment : state.segments) {
          try (SegmentReader reader = file.read(segment)) {
            for (; reader.nextCapacity() > 0; read++) {
              reader.readInto(page.address());
              assertThat(Platform.getByte(null, page.address() + 77)).isEqualTo((byte) read);
            }
          }
        }
      }
      assertThat(read).isEqualTo(PAGES);
      memory.close();
      task.complete();
      assertThat(task.sparkCleansUp()).isZero();
    } finally {
      disk.stop();
    }
  }
}
