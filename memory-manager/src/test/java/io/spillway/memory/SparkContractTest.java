package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.spillway.memory.spill.SpillException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.memory.UnifiedMemoryManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where Spark's task memory manager has a trap, and that we do not step into it. */
@Timeout(120)
class SparkContractTest {
  private static final long GIB = 1024 * MIB;
  private static final int PATIENCE_SECONDS = 60;

  @Test
  void shouldNeedNoPagesBecauseSparkKeepsThePoolChargedWhenTheAllocatorFails() {
    SparkConf conf = new SparkConf(false).set("spark.memory.offHeap.enabled", "false");
    // Far more than this JVM has: Spark grants it, and the allocation of a page fails.
    UnifiedMemoryManager spark = new UnifiedMemoryManager(conf, 48 * GIB, 24 * GIB, 1);
    TaskMemoryManager manager = new TaskMemoryManager(spark, 7);
    MemoryConsumer consumer =
        new MemoryConsumer(manager, MemoryMode.ON_HEAP) {
          @Override
          public long spill(long bytes, MemoryConsumer trigger) {
            return 0;
          }
        };

    assertThat(manager.allocatePage(15 * GIB, consumer)).as("what Spark does").isNull();
    assertThat(manager.getMemoryConsumptionForThisTask())
        .as("what Spark keeps charged for nothing")
        .isGreaterThan(40 * GIB);
    manager.cleanUpAllAllocatedMemory();
  }

  @Test
  void shouldHoldNoLockWhenItCallsSpark() {
    try (Fixture fixture = new Fixture(1 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      OperatorMemory scan = memory.operator("Scan", null);
      PagedState sort = new PagedState(() -> {}).open(memory, "Sort");
      AtomicInteger calls = new AtomicInteger();
      Thread own = Thread.currentThread();
      task.onCall(
          () -> {
            if (Thread.currentThread() == own) {
              calls.incrementAndGet();
              // Spark makes its consumers spill with its own lock held: then no other may ask it.
              everythingFromAnotherThread(fixture, memory, !Thread.holdsLock(task.manager()));
            }
          });

      for (int i = 0; i < 20; i++) {
        sort.grow(100 * KIB);
      }
      NativeBlock block = scan.allocate(400 * KIB);
      NativeBlock adopted = sort.memory().adopt(block);
      adopted.close();
      memory.atBatchBoundary();
      scan.close();
      sort.memory().close();
      task.complete();

      assertThat(calls).hasValueGreaterThan(20);
      assertThat(sort.spills()).isPositive();
      assertThat(task.sparkCleansUp()).isZero();
    }
  }

  /** Whatever another thread may do at any time; it must not wait for the one inside Spark. */
  private static void everythingFromAnotherThread(
      Fixture fixture, TaskMemory memory, boolean allocates) {
    CompletableFuture<?> done =
        CompletableFuture.runAsync(
            () -> {
              fixture.executor.snapshot();
              fixture.executor.memoryReturned();
              fixture.executor.peers().ask(memory, 1);
              memory.operators().forEach(OperatorMemory::usedBytes);
              memory.operators().forEach(OperatorMemory::reservedBytes);
              memory.spilling().request(0);
              if (allocates) {
                memory.operators().forEach(SparkContractTest::allocateAndFree);
              }
            },
            runnable -> new Thread(runnable, "another").start());
    assertThat(done).succeedsWithin(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private static void allocateAndFree(OperatorMemory operator) {
    try (NativeBlock block = operator.tryAllocate(64)) {
      assertThat(block == null || block.size() == 64).isTrue();
    } catch (IllegalStateException closing) {
      assertThat(closing).hasMessageContaining("is closed");
    }
  }

  @Test
  void shouldGiveBackWhatSparkHadGrantedWhenASpillForTheRestFails() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      OperatorMemory sort = memory.operator("Sort", Fixture.FULL_DISK);
      sort.allocate(6 * MIB);

      Throwable failure = catchThrowable(() -> sort.allocate(4 * MIB));

      assertThat(failure).isInstanceOf(SpillException.class).hasNoCause();
      assertThat(task.sparkBytes()).isEqualTo(memory.reservedBytes());
      sort.close();
      task.fail(failure);
      assertThat(task.sparkCleansUp()).isZero();
    }
  }

  /** Spark asks ours first, as it is the smaller one that is large enough. */
  @Test
  void shouldNotFailTheNextTaskOfTheThreadWhenSpillsOfOursAndOfTheJvmFailInOneRequest() {
    try (Fixture fixture = new Fixture(1 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      OperatorMemory sort = memory.operator("Sort", Fixture.FULL_DISK);
      sort.allocate(400 * KIB);
      JvmConsumer sorter =
          new JvmConsumer(
              task.manager(),
              () -> {
                throw new IllegalArgumentException("so is the JVM's");
              });
      assertThat(sorter.grow(500 * KIB)).isTrue();
      OperatorMemory scan = memory.operator("Scan", null);

      Throwable failure = catchThrowable(() -> scan.allocate(300 * KIB));

      assertThat(failure)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("so is the JVM's");
      assertThat(failure.getSuppressed())
          .as("ours was asked first")
          .singleElement()
          .isInstanceOf(SpillException.class);
      task.fail(failure);
      task.sparkCleansUp();
      fixture.executor.taskFailed();
      SparkTask next = fixture.task();
      OperatorMemory project = fixture.executor.openTask(next.context()).operator("Project", null);
      assertThat(project.allocate(64 * KIB).size()).isEqualTo(64 * KIB);
      project.close();
      next.complete();
      assertThat(next.sparkCleansUp()).isZero();
    }
  }

  @Test
  void shouldSayThatTheBlockIsClosedWhenItIsAdoptedAndMemoryIsShortToo() {
    try (Fixture fixture = new Fixture(1 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      OperatorMemory scan = memory.operator("Scan", null);
      OperatorMemory sort = memory.operator("Sort", null);
      NativeBlock closed = scan.allocate(600 * KIB);
      closed.close();
      scan.allocate(900 * KIB);

      assertThatThrownBy(() -> sort.adopt(closed))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("614400 bytes of Scan is closed");

      task.fail(new IllegalStateException("boom"));
      assertThat(task.sparkCleansUp()).isZero();
    }
  }
}
