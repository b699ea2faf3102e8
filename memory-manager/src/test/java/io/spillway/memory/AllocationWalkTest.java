package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The walk "one allocation": operator, Spark, pages, ledger, and back; each step made to fail. */
@Tag("arrow")
class AllocationWalkTest {
  /** Pages of an operating system that refuses when it is told to. */
  private static final class RefusingPages extends PageSource {
    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();

    @Override
    long allocate(long bytes) {
      calls.incrementAndGet();
      if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new OutOfMemoryError("refused by the test");
      }
      return super.allocate(bytes);
    }
  }

  @Test
  void shouldRunInTheDebugModeThatThisRunIsFor() {
    boolean off = "false".equals(System.getProperty("arrow.memory.debug.allocator"));
    assertThat(RootAllocator.isDebug()).isEqualTo(!off);
  }

  private record Figures(long spark, long arrow, long ledger, long reserved, long used) {
    static Figures of(Fixture fixture, OperatorMemory operator) {
      return new Figures(
          fixture.sparkBytes(),
          operator.allocator().getAllocatedMemory(),
          fixture.executor.snapshot().usedBytes(),
          operator.reservedBytes(),
          operator.usedBytes());
    }
  }

  @Test
  void shouldKeepAllBooksAlikeWhenABlockComesAndGoes() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask task = fixture.task();
      OperatorMemory operator = fixture.executor.openTask(task.context()).operator("Scan", null);

      NativeBlock block = operator.allocate(100_000);
      Platform.putLong(null, block.address(), 42);
      Platform.putLong(null, block.address() + block.size() - 8, 43);

      assertThat(block.size()).isEqualTo(25 * 4096);
      Figures figures = Figures.of(fixture, operator);
      assertThat(figures.arrow()).isEqualTo(block.size());
      assertThat(figures.ledger()).isEqualTo(block.size());
      assertThat(figures.used()).isEqualTo(block.size());
      assertThat(figures.spark())
          .isEqualTo(figures.reserved())
          .isGreaterThanOrEqualTo(block.size());
      assertThat(fixture.executor.snapshot().owners())
          .containsExactly("task 12 / Scan 102400 bytes in 1 block");

      block.close();
      block.close();

      assertThat(operator.allocator().getAllocatedMemory()).isZero();
      assertThat(fixture.executor.snapshot().usedBytes()).isZero();
      assertThat(operator.reservedBytes())
          .isLessThanOrEqualTo(fixture.executor.budget(1).quantumBytes());
      operator.close();
      assertThat(fixture.sparkBytes()).isZero();
      task.complete();
      assertThat(task.sparkCleansUp()).isZero();
    }
  }

  @Test
  void shouldKeepAllBooksAlikeWhenManyBlocksGoAtOnce() {
    try (Fixture fixture = new Fixture(64 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory scope = fixture.executor.openTask(task.context());
      OperatorMemory operator = scope.operator("Scan", null);
      SparkConsumer consumer = new SparkConsumer(task.manager(), "Scan", bytes -> 0, new Stall());
      Reservation reservation =
          new Reservation(consumer, 64 * KIB, () -> {}, (missing, most) -> most, bytes -> true, 0);
      AllocationWalk walk = new AllocationWalk(operator, scope, reservation);
      List<LedgeredBlock> blocks = new ArrayList<>();
      for (long bytes : new long[] {64, 4 * KIB, 4 * KIB, 64 * KIB, 64 * KIB, 1 * MIB}) {
        blocks.add(walk.take(bytes));
      }
      LedgeredBlock kept = walk.take(4 * KIB);
      // Somebody was quicker with this one.
      walk.free(blocks.get(1));
      long leftBytes = reservation.usedBytes();
      assertThat(leftBytes).isEqualTo(64 + 2 * 4 * KIB + 2 * 64 * KIB + 1 * MIB);

      walk.freeAll(blocks);

      assertThat(reservation.usedBytes()).isEqualTo(4 * KIB);
      assertThat(scope.usedBytes()).isEqualTo(4 * KIB);
      assertThat(fixture.executor.snapshot().usedBytes()).isEqualTo(4 * KIB);
      assertThat(fixture.executor.snapshot().blocks()).isOne();
      assertThat(reservation.reservedBytes()).isLessThanOrEqualTo(2 * 64 * KIB);
      assertThat(blocks).noneMatch(LedgeredBlock::isLive);
      assertThat(kept.isLive()).isTrue();

      walk.freeAll(List.of(kept));
      reservation.close();
      assertThat(fixture.executor.snapshot().usedBytes()).isZero();
      assertThat(fixture.sparkBytes()).isZero();
      task.complete();
      assertThat(task.sparkCleansUp()).isZero();
    }
  }

  @Test
  void shouldLeaveAllBooksUntouchedWhenSparkRefuses() {
    try (Fixture fixture = new Fixture(1 * MIB)) {
      SparkTask task = fixture.task();
      OperatorMemory operator = fixture.executor.openTask(task.context()).operator("Scan", null);
      NativeBlock held = operator.allocate(300 * KIB);
      Figures before = Figures.of(fixture, operator);

      assertThat(operator.tryAllocate(2 * MIB)).isNull();
      assertThat(Figures.of(fixture, operator)).isEqualTo(before);

      Throwable denied = catchThrowable(() -> operator.allocate(2 * MIB));
      assertThat(denied)
          .isInstanceOf(SparkOutOfMemoryError.class)
          .hasNoCause()
          .hasMessageContaining("task 12 / Scan: 2097152 bytes asked for, 307200 used")
          .hasMessageContaining("spark.memory.offHeap.size=1048576")
          .hasMessageContaining("spark.executor.cores");
      // The ladder gave the idle part back; everything else is as it was.
      assertThat(fixture.sparkBytes()).isEqualTo(operator.reservedBytes()).isEqualTo(300 * KIB);
      assertThat(operator.allocator().getAllocatedMemory()).isEqualTo(before.arrow());
      assertThat(fixture.executor.snapshot().usedBytes()).isEqualTo(before.ledger());
      held.close();
      task.fail(denied);
      assertThat(task.sparkCleansUp()).isZero();
    }
  }

  @Test
  void shouldLeaveAllBooksUntouchedWhenTheSystemRefuses() {
    RefusingPages pages = new RefusingPages();
    try (Fixture fixture = new Fixture(SparkTask.conf(8 * MIB), pages)) {
      SparkTask task = fixture.task();
      OperatorMemory operator = fixture.executor.openTask(task.context()).operator("Scan", null);
      NativeBlock held = operator.allocate(10);
      Figures before = Figures.of(fixture, operator);

      pages.refusals.set(1);
      assertThat(operator.tryAllocate(3 * MIB)).isNull();
      assertThat(Figures.of(fixture, operator)).isEqualTo(before);

      pages.refusals.set(Integer.MAX_VALUE);
      Throwable denied = catchThrowable(() -> operator.allocate(3 * MIB));
      assertThat(denied).isInstanceOf(SparkOutOfMemoryError.class).hasNoCause();
      assertThat(denied.getSuppressed()).isEmpty();
      assertThat(operator.usedBytes()).isEqualTo(held.size());
      assertThat(fixture.sparkBytes()).isEqualTo(operator.reservedBytes()).isEqualTo(held.size());
      assertThat(operator.allocator().getAllocatedMemory()).isEqualTo(held.size());
      held.close();
      task.fail(denied);
      assertThat(task.sparkCleansUp()).isZero();
    }
  }

  @Test
  void shouldRecoverInTheSameCallWhenTheSystemRefusesOnce() {
    RefusingPages pages = new RefusingPages();
    try (Fixture fixture = new Fixture(SparkTask.conf(8 * MIB), pages)) {
      SparkTask task = fixture.task();
      OperatorMemory operator = fixture.executor.openTask(task.context()).operator("Scan", null);
      pages.refusals.set(1);

      try (NativeBlock block = operator.allocate(64 * KIB)) {
        assertThat(block.size()).isEqualTo(64 * KIB);
      }

      assertThat(pages.calls).hasValue(2);
      operator.close();
      task.complete();
      assertThat(fixture.sparkBytes()).isZero();
    }
  }

  @Test
  void shouldFreeTheBlockWhenArrowRefusesToRegisterIt() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask task = fixture.task();
      OperatorMemory operator = fixture.executor.openTask(task.context()).operator("Scan", null);
      try (BufferAllocator stranger = new RootAllocator(1 * MIB)) {
        LedgeredAllocationManager.Factory factory = new LedgeredAllocationManager.Factory();

        assertThatThrownBy(() -> factory.create(stranger, 4096))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("belongs to no operator");
        BufferAllocator closing =
            (BufferAllocator)
                Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {BufferAllocator.class},
                    (proxy, method, arguments) -> {
                      if (method.getName().equals("getListener")) {
                        return new OperatorListener(operator);
                      }
                      if (method.getName().equals("getRoot")) {
                        return stranger;
                      }
                      throw new IllegalStateException("closed, says the test");
                    });
        assertThatThrownBy(() -> factory.create(closing, 4096))
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("closed, says the test");

        assertThat(fixture.executor.snapshot().usedBytes()).isZero();
        assertThat(operator.usedBytes()).isZero();
      }
      task.complete();
      assertThat(fixture.sparkBytes()).isZero();
    }
  }

  @Test
  void shouldLedgerVectorsThatArrowsOwnCodeAllocates() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask task = fixture.task();
      OperatorMemory operator = fixture.executor.openTask(task.context()).operator("Scan", null);
      try (IntVector vector = new IntVector("quantity", operator.allocator())) {
        vector.allocateNew(10_000);
        for (int i = 0; i < 40_000; i++) {
          vector.setSafe(i, i);
        }
        vector.setValueCount(40_000);
        assertThat(operator.usedBytes())
            .isEqualTo(operator.allocator().getAllocatedMemory())
            .isEqualTo(fixture.executor.snapshot().usedBytes())
            .isGreaterThanOrEqualTo(160_000);
        assertThat(vector.get(39_999)).isEqualTo(39_999);
      }
      assertThat(operator.usedBytes()).isZero();
      operator.close();
      task.complete();
      assertThat(fixture.sparkBytes()).isZero();
    }
  }

  @Test
  void shouldMoveTheChargeWhenABlockIsAdopted() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      OperatorMemory scan = memory.operator("Scan", null);
      OperatorMemory sort = memory.operator("Sort", null);
      NativeBlock block = scan.allocate(64 * KIB);
      Platform.putLong(null, block.address(), 4711);

      NativeBlock adopted = sort.adopt(block);

      assertThat(Platform.getLong(null, adopted.address())).isEqualTo(4711);
      assertThat(scan.usedBytes()).isZero();
      assertThat(scan.allocator().getAllocatedMemory()).isZero();
      assertThat(sort.usedBytes()).isEqualTo(64 * KIB);
      assertThat(sort.allocator().getAllocatedMemory()).isEqualTo(64 * KIB);
      assertThat(fixture.executor.snapshot().owners())
          .containsExactly("task 12 / Sort 65536 bytes in 1 block");
      block.close();
      scan.close();
      assertThat(Platform.getLong(null, adopted.address())).isEqualTo(4711);
      adopted.close();
      sort.close();
      task.complete();
      assertThat(fixture.sparkBytes()).isZero();
    }
  }

  @Test
  void shouldReserveInQuantaAndGiveBackWhatIsIdle() {
    try (Fixture fixture =
        new Fixture(SparkTask.conf(8 * MIB).set(MemorySettings.QUANTUM, "64k"), new PageSource())) {
      SparkTask task = fixture.task();
      OperatorMemory operator = fixture.executor.openTask(task.context()).operator("Scan", null);

      NativeBlock first = operator.allocate(4096);
      assertThat(task.sparkBytes()).isEqualTo(64 * KIB);
      NativeBlock second = operator.allocate(60 * KIB);
      assertThat(task.sparkBytes()).isEqualTo(64 * KIB);
      NativeBlock third = operator.allocate(4096);
      assertThat(task.sparkBytes()).isEqualTo(128 * KIB);

      third.close();
      assertThat(task.sparkBytes()).as("one quantum may be idle").isEqualTo(128 * KIB);
      second.close();
      assertThat(task.sparkBytes()).isEqualTo(64 * KIB);
      first.close();
      operator.close();
      assertThat(task.sparkBytes()).isZero();
      task.complete();
    }
  }
}
