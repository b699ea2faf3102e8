package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spillway.memory.spill.SegmentReader;
import io.spillway.memory.spill.SegmentWriter;
import io.spillway.memory.spill.SharedSpillFile;
import io.spillway.memory.spill.SpillException;
import io.spillway.memory.spill.SpillFile;
import io.spillway.memory.spill.SpillSegment;
import io.spillway.memory.spill.SpillView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskKilledException;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is too large to be shared in memory is written once, and goes when nobody wants it. */
@Timeout(120)
class SharedFilesTest {
  private static final int BYTES = (int) (64 * KIB);

  @TempDir private static Path directory;
  private static JavaSparkContext spark;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Fixture fixture = new Fixture(8 * MIB);
  private final SharedMemory shared = fixture.executor.shared();

  /** For its local directory, its codec and its cipher only. */
  @BeforeAll
  static void start() {
    spark =
        new JavaSparkContext(
            new SparkConf()
                .setAppName("shared-files")
                .setMaster("local[1]")
                .set("spark.ui.enabled", "false")
                .set("spark.local.dir", directory.toString())
                .set("spark.io.encryption.enabled", "true"));
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
    fixture.close();
  }

  /** One page on disk, whose first eight bytes say what it is. */
  private record Written(SharedSpillFile file, SpillSegment segment) {
    static Written build(SharedRegion region, TaskMemory task, long content) {
      OperatorMemory writer = task.operator("writer", null);
      SpillFile file = writer.createSpillFile();
      SpillSegment segment = write(file, writer, content);
      try {
        Written written = new Written(region.adopt(file, writer), segment);
        writer.close();
        return written;
      } catch (IOException e) {
        throw new SpillException("the test's file", e);
      }
    }

    private static SpillSegment write(SpillFile file, OperatorMemory writer, long content) {
      try (NativeBlock page = writer.allocate(BYTES);
          SegmentWriter segment = file.newSegment()) {
        Platform.setMemory(page.address(), (byte) 0, BYTES);
        Platform.putLong(null, page.address(), content);
        segment.write(page.address(), BYTES, BYTES, BYTES);
        return segment.finish();
      } catch (IOException e) {
        throw new SpillException("the test's file", e);
      }
    }

    long read(TaskMemory task) {
      try (OperatorMemory reader = task.operator("reader", null);
          NativeBlock page = reader.allocate(BYTES);
          SpillView view = reader.read(file);
          SegmentReader frames = view.read(segment)) {
        frames.readInto(page.address());
        return Platform.getLong(null, page.address());
      } catch (IOException e) {
        throw new SpillException("the test's file", e);
      }
    }
  }

  private SharedLease<Written> lease(TaskMemory task, long content) {
    return shared.lease(
        "rows", Written.class, task, region -> Written.build(region, task, content));
  }

  private static List<Path> files() {
    try (Stream<Path> walk = Files.walk(directory)) {
      return walk.filter(path -> path.getFileName().toString().startsWith("temp_local_")).toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void assertNothing() {
    assertThat(files()).isEmpty();
    assertThat(fixture.executor.snapshot())
        .returns(0L, MemorySnapshot::usedBytes)
        .returns(0L, MemorySnapshot::sharedBytes)
        .returns(0L, MemorySnapshot::leakedBytes);
    assertThat(fixture.spark.offHeapStorageMemoryUsed()).isZero();
    assertThat(fixture.sparkBytes()).isZero();
  }

  @Test
  void shouldWriteOnceForAQueryAndDeleteWhenTheQueryHasEnded() {
    SparkTask first = fixture.task().ofQuery(3);
    TaskMemory writer = fixture.executor.openTask(first.context());
    assertThat(lease(writer, 7).value().read(writer)).isEqualTo(7);
    assertThat(writer.spilledBytes()).as("counted as the writer's").isEqualTo(BYTES);
    assertThat(first.context().taskMetrics().diskBytesSpilled()).isPositive();
    first.complete();
    List<Path> written = files();
    assertThat(written).hasSize(1);

    SparkTask second = fixture.task().ofQuery(3);
    TaskMemory reader = fixture.executor.openTask(second.context());
    assertThat(lease(reader, 8).value().read(reader)).as("found").isEqualTo(7);
    assertThat(reader.spilledBytes()).isZero();
    assertThat(shared.evictUnusedOf(Set.of("3"))).isZero();
    assertThat(files()).as("in use").isEqualTo(written);
    second.complete();

    assertThat(shared.evictUnused(Long.MAX_VALUE)).as("no memory to be had there").isZero();
    assertThat(files()).isEqualTo(written);
    assertThat(shared.queriesOfUnused()).containsExactly("3");
    shared.evictUnusedOf(Set.of("3"));
    assertNothing();
    assertThat(fixture.executor.snapshot().spilledBytes()).isEqualTo(BYTES);
  }

  @Test
  void shouldDeleteWithTheLastLeaseWhenNoQueryWillEnd() {
    SparkTask first = fixture.task();
    SparkTask second = fixture.task();
    TaskMemory one = fixture.executor.openTask(first.context());
    TaskMemory other = fixture.executor.openTask(second.context());
    lease(one, 7);
    SharedLease<Written> lease = lease(other, 8);
    first.complete();
    assertThat(lease.value().read(other)).isEqualTo(7);

    second.complete();

    assertThat(shared.isKnown("rows")).isFalse();
    assertNothing();
  }

  @Test
  void shouldWaitForTheQueryWhenATaskOfNoneHasSharedIt() {
    SparkTask ofQuery = fixture.task().ofQuery(3);
    SparkTask ofNone = fixture.task();
    TaskMemory one = fixture.executor.openTask(ofQuery.context());
    TaskMemory other = fixture.executor.openTask(ofNone.context());
    lease(one, 7).close();
    lease(other, 8).close();
    ofNone.complete();
    assertThat(files()).hasSize(1);

    shared.evictUnusedOf(Set.of("3"));

    ofQuery.complete();
    assertNothing();
  }

  @Test
  void shouldLeaveNothingOfAKilledWriterAndLetTheNextTaskWrite() {
    SparkTask killed = fixture.task().ofQuery(3);
    SparkTask next = fixture.task().ofQuery(3);
    CountDownLatch halfWritten = new CountDownLatch(1);
    CompletableFuture<Void> writing =
        CompletableFuture.runAsync(
            () -> {
              TaskMemory task = fixture.executor.openTask(killed.context());
              try {
                shared.lease(
                    "rows",
                    Written.class,
                    task,
                    region -> {
                      OperatorMemory writer = task.operator("writer", null);
                      Written.write(writer.createSpillFile(), writer, 7);
                      halfWritten.countDown();
                      while (true) {
                        writer.batchBoundary();
                        Thread.onSpinWait();
                      }
                    });
              } catch (TaskKilledException e) {
                killed.fail(e);
                throw e;
              }
            },
            threads);
    await("it has written").until(() -> halfWritten.getCount() == 0);
    assertThat(files()).hasSize(1);
    CompletableFuture<Long> waiting =
        CompletableFuture.supplyAsync(
            () -> {
              TaskMemory task = fixture.executor.openTask(next.context());
              try (SharedLease<Written> lease = lease(task, 8)) {
                return lease.value().read(task);
              }
            },
            threads);
    await("the other waits").until(() -> fixture.executor.snapshot().openTasks() == 2);
    assertThat(waiting).isNotDone();

    killed.kill();

    assertThat(waiting.join()).as("written by the second task").isEqualTo(8);
    assertThatThrownBy(writing::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(TaskKilledException.class);
    assertThat(files()).as("of the second task").hasSize(1);
    next.complete();
    shared.evictUnusedOf(Set.of("3"));
    assertNothing();
  }

  @Test
  void shouldDeleteWhatABuilderHadHandedOverWhenItFailsAfterwards() {
    SparkTask task = fixture.task().ofQuery(3);
    TaskMemory memory = fixture.executor.openTask(task.context());

    assertThatThrownBy(
            () ->
                shared.lease(
                    "rows",
                    Written.class,
                    memory,
                    region -> {
                      Written.build(region, memory, 7);
                      assertThat(files()).hasSize(1);
                      throw new IllegalStateException("the builder, says the test");
                    }))
        .hasMessage("the builder, says the test");

    assertThat(files()).isEmpty();
    task.fail(new IllegalStateException("boom"));
    assertNothing();
  }

  @Test
  void shouldWriteAnewForTheNextTaskWhenOneHasFoundItBroken() {
    SparkTask finder = fixture.task().ofQuery(3);
    SparkTask other = fixture.task().ofQuery(3);
    TaskMemory first = fixture.executor.openTask(finder.context());
    TaskMemory second = fixture.executor.openTask(other.context());
    SharedLease<Written> found = lease(first, 7);
    SharedLease<Written> also = lease(second, 8);

    found.forget();
    found.forget();

    assertThat(also.value().read(second)).as("goes on with what it has").isEqualTo(7);
    finder.fail(new SpillException("damaged, says the test"));
    assertThat(files()).hasSize(1);
    SparkTask retry = fixture.task().ofQuery(3);
    TaskMemory third = fixture.executor.openTask(retry.context());
    SharedLease<Written> anew = lease(third, 9);
    assertThat(anew.value().read(third)).isEqualTo(9);
    also.forget();
    assertThat(shared.isKnown("rows")).as("the new one is not what was forgotten").isTrue();
    other.complete();
    assertThat(files()).as("the new one").hasSize(1);
    retry.complete();
    shared.evictUnusedOf(Set.of("3"));
    assertNothing();
  }

  @Test
  void shouldDeleteWhenTheExecutorEndsAndWithTheLastLeaseWhatIsInUse() {
    SparkTask task = fixture.task().ofQuery(3);
    TaskMemory memory = fixture.executor.openTask(task.context());
    lease(memory, 7).close();
    shared.lease("other", Written.class, memory, region -> Written.build(region, memory, 8));
    assertThat(files()).hasSize(2);

    fixture.executor.close();

    assertThat(files()).as("in use").hasSize(1);
    task.complete();
    assertNothing();
  }

  @Test
  void shouldCloseTheReadersDescriptorWhenItsTaskEnds() throws IOException {
    SparkTask task = fixture.task().ofQuery(3);
    TaskMemory memory = fixture.executor.openTask(task.context());
    Written written = lease(memory, 7).value();
    OperatorMemory reader = memory.operator("reader", null);
    SpillView view = reader.read(written.file());
    SegmentReader forgotten = view.read(written.segment());
    assertThat(forgotten.nextCapacity()).isEqualTo(BYTES);
    assertThat(openDescriptors()).isEqualTo(1);

    task.fail(new IllegalStateException("boom"));

    assertThat(openDescriptors()).isZero();
    assertThatThrownBy(() -> reader.read(written.file()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is closed");
    shared.evictUnusedOf(Set.of("3"));
    assertNothing();
  }

  private static long openDescriptors() throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.filter(SharedFilesTest::leadsToASpill).count();
    }
  }

  private static boolean leadsToASpill(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().contains("temp_local_");
    } catch (IOException closedMeanwhile) {
      return false;
    }
  }

  @Test
  void shouldRefuseAFileThatIsNotTheWritersOwn() {
    SparkTask task = fixture.task().ofQuery(3);
    TaskMemory memory = fixture.executor.openTask(task.context());
    OperatorMemory owner = memory.operator("owner", null);
    OperatorMemory stranger = memory.operator("stranger", null);
    SpillFile file = owner.createSpillFile();
    Written.write(file, owner, 7);

    assertThatThrownBy(
            () ->
                shared.lease(
                    "rows",
                    SharedSpillFile.class,
                    memory,
                    region -> {
                      try {
                        return region.adopt(file, stranger);
                      } catch (IOException e) {
                        throw new SpillException("the test's file", e);
                      }
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("stranger");

    assertThat(files()).as("still its owner's").hasSize(1);
    owner.close();
    task.fail(new IllegalStateException("boom"));
    assertNothing();
  }

  @Test
  void shouldBeginAnewInAnotherWayWhenMemoryDoesNotSuffice() {
    SparkTask task = fixture.task().ofQuery(3);
    TaskMemory memory = fixture.executor.openTask(task.context());
    SharedLease<Written> lease =
        shared.lease(
            "rows",
            Written.class,
            memory,
            region -> {
              region.allocate(3 * MIB);
              region.clear();
              assertThat(region.bytes()).isZero();
              assertThat(fixture.spark.offHeapStorageMemoryUsed()).isZero();
              return Written.build(region, memory, 7);
            });

    assertThat(lease.value().read(memory)).isEqualTo(7);
    assertThat(fixture.executor.snapshot().sharedBytes()).isZero();
    task.complete();
    shared.evictUnusedOf(Set.of("3"));
    assertNothing();
  }

  /** Else it would hold what the builder needs, until the builder gives up. */
  @Test
  void shouldSpillForTheBuilderWhileItWaitsForIt() {
    SparkTask building = fixture.task().ofQuery(3);
    SparkTask waiting = fixture.task().ofQuery(3);
    CountDownLatch otherWaits = new CountDownLatch(1);
    AtomicInteger spills = new AtomicInteger();
    CompletableFuture<Long> builder =
        CompletableFuture.supplyAsync(
            () -> {
              TaskMemory task = fixture.executor.openTask(building.context());
              try (SharedLease<Long> lease =
                  shared.lease(
                      "rows",
                      Long.class,
                      task,
                      region -> {
                        await("the other task waits").until(() -> otherWaits.getCount() == 0);
                        try (OperatorMemory hungry = task.operator("hungry", null);
                            NativeBlock block = hungry.allocate(3 * MIB)) {
                          return block.size();
                        }
                      })) {
                return lease.value();
              }
            },
            threads);
    await("it builds").until(() -> shared.isKnown("rows"));
    CompletableFuture<Void> waiter =
        CompletableFuture.runAsync(
            () -> {
              TaskMemory task = fixture.executor.openTask(waiting.context());
              PagedState state = new PagedState(spills::incrementAndGet).open(task, "Sort");
              for (int i = 0; i < 7; i++) {
                state.grow(MIB);
              }
              otherWaits.countDown();
              shared.lease("rows", Long.class, task, region -> 0L).close();
              state.memory().close();
              waiting.complete();
            },
            threads);

    assertThat(builder.join()).isEqualTo(3 * MIB);
    waiter.join();
    building.complete();
    assertThat(spills).as("spills of the task that waits").hasPositiveValue();
    assertNothing();
  }
}
