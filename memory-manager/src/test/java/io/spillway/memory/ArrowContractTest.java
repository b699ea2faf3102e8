package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.AllocationListener;
import org.apache.arrow.memory.AllocationOutcome;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where Arrow's allocators do not do what one would think, and what holds all the same. */
@Tag("arrow")
class ArrowContractTest {
  private final List<String> calls = new ArrayList<>();
  private final AllocationListener recording =
      new AllocationListener() {
        @Override
        public void onPreAllocation(long size) {
          calls.add("before");
        }

        @Override
        public void onAllocation(long size) {
          calls.add("allocated");
        }

        @Override
        public void onRelease(long size) {
          calls.add("released");
        }

        @Override
        public boolean onFailedAllocation(long size, AllocationOutcome outcome) {
          calls.add("failed");
          return true;
        }
      };

  private static final class Throwing implements AllocationListener {
    @Override
    public void onAllocation(long size) {
      throw new IllegalStateException("onAllocation, says the test");
    }
  }

  @Test
  void shouldTakeNoAllocationUnderAListenerBecauseArrowLeaksWhenThatThrows() {
    try (BufferAllocator plain = new RootAllocator(new Throwing(), 1 * MIB)) {
      assertThatThrownBy(() -> plain.buffer(4096)).hasMessageContaining("onAllocation");
      assertThat(plain.getAllocatedMemory()).as("what Arrow does").isEqualTo(4096);
    } catch (IllegalStateException leaked) {
      assertThat(leaked).hasMessageMatching("(?s).*(leak|outstanding).*");
    }
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask task = fixture.task();
      OperatorMemory operator = fixture.executor.openTask(task.context()).operator("Scan", null);
      try (BufferAllocator child =
          operator.allocator().newChildAllocator("foreign", new Throwing(), 0, 1 * MIB)) {
        assertThatThrownBy(() -> child.buffer(4096)).hasMessageContaining("belongs to no operator");
      }
      assertThat(operator.allocator().getAllocatedMemory()).isZero();
      assertThat(operator.usedBytes()).isZero();
      operator.close();
      task.complete();
      assertThat(task.sparkCleansUp()).isZero();
    }
  }

  @Test
  void shouldCountATransferOnlyInTheLedgerBecauseArrowTellsNobody() {
    try (BufferAllocator root = new RootAllocator(1 * MIB)) {
      BufferAllocator from = root.newChildAllocator("from", recording, 0, 1 * MIB);
      BufferAllocator to = root.newChildAllocator("to", recording, 0, 1 * MIB);
      ArrowBuf buffer = from.buffer(4096);
      calls.clear();
      ArrowBuf moved =
          buffer.getReferenceManager().transferOwnership(buffer, to).getTransferredBuffer();
      buffer.getReferenceManager().release();
      assertThat(calls).as("what Arrow does").isEmpty();
      moved.getReferenceManager().release();
      assertThat(calls).containsExactly("released");
      from.close();
      to.close();
    }
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      OperatorMemory scan = memory.operator("Scan", null);
      OperatorMemory sort = memory.operator("Sort", null);
      ArrowBuf buffer = scan.allocator().buffer(4096);
      ArrowBuf moved =
          buffer
              .getReferenceManager()
              .transferOwnership(buffer, sort.allocator())
              .getTransferredBuffer();
      buffer.getReferenceManager().release();

      assertThat(scan.usedBytes()).as("charged where it was reserved").isEqualTo(4096);
      assertThat(sort.usedBytes()).isZero();
      moved.getReferenceManager().release();
      assertThat(scan.usedBytes()).isZero();
      scan.close();
      sort.close();
      task.complete();
      assertThat(task.sparkCleansUp()).isZero();
    }
  }

  @Test
  void shouldTryAgainOnTheLadderBecauseArrowAsksItsListenerOnlyOnce() {
    try (BufferAllocator small = new RootAllocator(recording, 4096)) {
      assertThatThrownBy(() -> small.buffer(8192));
      assertThat(calls).as("what Arrow does").containsExactly("before", "failed");
    }
    try (Fixture fixture = new Fixture(1 * MIB)) {
      SparkTask task = fixture.task();
      OperatorMemory operator = fixture.executor.openTask(task.context()).operator("Scan", null);
      AtomicInteger refused = new AtomicInteger();
      task.grants(asked -> refused.incrementAndGet() <= 2 ? 0 : asked);

      try (ArrowBuf buffer = operator.allocator().buffer(8192)) {
        assertThat(buffer.capacity()).isEqualTo(8192);
      }

      assertThat(refused).hasValue(3);
      task.complete();
    }
  }

  @Test
  void shouldStayRightInTheNextAttemptWhenAChildWithAReservationLeaks() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask first = fixture.task();
      OperatorMemory operator = fixture.executor.openTask(first.context()).operator("Scan", null);
      assertThat(operator.allocator().getInitReservation()).isZero();
      BufferAllocator child = operator.allocator().newChildAllocator("child", 8192, 1 * MIB);
      child.buffer(4096);
      assertThatThrownBy(child::close).as("it leaks").isInstanceOf(IllegalStateException.class);
      assertThat(operator.usedBytes()).as("a child's reservation is no memory").isEqualTo(4096);

      first.fail(new IllegalStateException("boom"));

      assertThat(first.sparkCleansUp()).isZero();
      assertThat(fixture.executor.snapshot().usedBytes()).isZero();
      assertThat(fixture.executor.snapshot().reclaimedBytes()).isEqualTo(4096);
      SparkTask second = fixture.task();
      TaskMemory memory = fixture.executor.openTask(second.context());
      assertThat(memory.arrowRoot().getAllocatedMemory()).isZero();
      second.complete();
    }
  }

  @Test
  void shouldCloseWhenAChildAllocatorWasForgotten() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask task = fixture.task();
      OperatorMemory operator = fixture.executor.openTask(task.context()).operator("Scan", null);
      BufferAllocator child = operator.allocator().newChildAllocator("child", 0, 1 * MIB);
      child.buffer(4096).getReferenceManager().release();

      operator.close();
      task.complete();

      assertThat(task.sparkCleansUp()).isZero();
      assertThat(fixture.executor.snapshot().leakedBytes()).isZero();
    }
  }

  @Test
  void shouldTakeNothingAfterTheEndAlthoughArrowWouldLet() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask task = fixture.task();
      OperatorMemory operator = fixture.executor.openTask(task.context()).operator("Scan", null);
      // A buffer that nobody released keeps Arrow's allocator open.
      ArrowBuf forgotten = operator.allocator().buffer(4096);
      operator.close();

      assertThatThrownBy(() -> operator.allocator().buffer(4096))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("task 12 / Scan is closed and takes no more native memory");

      assertThat(fixture.executor.snapshot().usedBytes()).isZero();
      assertThat(fixture.sparkBytes()).isZero();
      forgotten.getReferenceManager().release();
      task.complete();
    }
  }

  @Test
  void shouldLeaveNoEntryInArrowsOwnLedgerWhenARequestIsRefused() {
    try (Fixture fixture = new Fixture(1 * MIB)) {
      SparkTask task = fixture.task();
      OperatorMemory operator = fixture.executor.openTask(task.context()).operator("Scan", null);
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> operator.allocator().buffer(2 * MIB))
            .isInstanceOf(SparkOutOfMemoryError.class)
            .hasNoCause();
      }
      // In its debug mode Arrow throws here for an entry that is left.
      operator.allocator().assertOpen();
      operator.close();
      task.complete();
      assertThat(task.sparkCleansUp()).isZero();
    }
  }

  @Test
  void shouldChargeWhatIsHeldAndNotAPowerOfTwo() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask task = fixture.task();
      OperatorMemory operator = fixture.executor.openTask(task.context()).operator("Scan", null);
      try (BufferAllocator plain = new RootAllocator(8 * MIB);
          ArrowBuf rounded = plain.buffer(260 * KIB);
          ArrowBuf ours = operator.allocator().buffer(260 * KIB)) {
        assertThat(rounded.capacity()).as("what Arrow does").isEqualTo(512 * KIB);
        assertThat(ours.capacity()).isEqualTo(260 * KIB);
        assertThat(operator.usedBytes()).isEqualTo(260 * KIB);
      }
      operator.close();
      task.complete();
    }
  }
}
