package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.memory.event.MemoryEvent;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.spark.TaskKilledException;
import org.apache.spark.util.TaskCompletionListener;
import org.apache.spark.util.TaskCompletionListenerException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The walk "one failure": however an attempt ends, its scope gives everything back and says so. */
@Tag("arrow")
class ScopeTest {
  @Test
  void shouldReclaimEverythingWhenTheTaskFails() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      OperatorMemory aggregate = memory.operator("HashAggregate(partial)", bytes -> 0);
      NativeBlock block = aggregate.allocate(300 * KIB);
      ArrowBuf buffer = aggregate.allocator().buffer(4096);

      task.fail(new IllegalStateException("boom"));

      assertThat(fixture.executor.snapshot())
          .returns(0L, MemorySnapshot::usedBytes)
          .returns(0L, MemorySnapshot::blocks)
          .returns(0L, MemorySnapshot::reservedBytes)
          .returns(304 * KIB, MemorySnapshot::reclaimedBytes)
          .returns(0L, MemorySnapshot::leakedBytes)
          .returns(0, MemorySnapshot::openTasks)
          .returns(List.of(), MemorySnapshot::owners);
      assertThat(task.sparkCleansUp()).as("nothing is left for Spark").isZero();
      assertThat(fixture.executor.taskFailed())
          .hasValueSatisfying(
              report ->
                  assertThat(report.owners())
                      .containsExactly(
                          new BlockOwner(12, "HashAggregate(partial)", 304 * KIB, 2, null)));
      assertThat(fixture.heard(MemoryEvent.Reclaimed.class))
          .containsExactly(new MemoryEvent.Reclaimed(12, "HashAggregate(partial)", 304 * KIB, 2));
      assertThatThrownBy(block::address).isInstanceOf(IllegalStateException.class);
      // Late closers come after the scope, and find that all is done.
      block.close();
      buffer.close();
      aggregate.close();
      assertThat(fixture.executor.snapshot().usedBytes()).isZero();
      assertThat(fixture.sparkBytes()).isZero();
    }
  }

  @Test
  void shouldNameTheOwnerForEverWhenATaskThatSucceededLeaks() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      memory.operator("Sort", null).allocate(4096);

      task.complete();

      assertThat(task.sparkCleansUp()).isZero();
      MemorySnapshot snapshot = fixture.executor.snapshot();
      assertThat(snapshot.usedBytes()).isZero();
      assertThat(snapshot.leakedBytes()).isEqualTo(4096);
      assertThat(snapshot.owners()).containsExactly("task 12 / Sort 4096 bytes in 1 block");
      assertThat(fixture.executor.taskSucceeded())
          .hasValueSatisfying(report -> assertThat(report.leakedBytes()).isEqualTo(4096));
      assertThat(fixture.heard(MemoryEvent.Leaked.class)).hasSize(1);
    }
  }

  @Test
  void shouldFailTheTaskAndNameThePlaceWhenALeakIsToFail() {
    try (Fixture fixture =
        new Fixture(
            SparkTask.conf(8 * MIB)
                .set(MemorySettings.ON_LEAK, "fail")
                .set(MemorySettings.ALLOCATION_SITES, "true"),
            new PageSource())) {
      SparkTask task = fixture.task();
      fixture.executor.openTask(task.context()).operator("Sort", null).allocate(4096);

      assertThatThrownBy(task::complete)
          .isInstanceOf(TaskCompletionListenerException.class)
          .hasMessageContaining("task 12 / Sort 4096 bytes in 1 block")
          .hasMessageContaining("The executor's log names the place")
          .hasMessageNotContaining(MemorySettings.ALLOCATION_SITES);

      assertThat(fixture.executor.snapshot().usedBytes()).isZero();
      Throwable site = fixture.heard(MemoryEvent.Leaked.class).get(0).site();
      assertThat(site.getStackTrace())
          .anyMatch(frame -> frame.getClassName().equals(ScopeTest.class.getName()));
      assertThat(fixture.executor.leaks())
          .containsExactly(new BlockOwner(12, "Sort", 4096, 1, site));
    }
  }

  @Test
  void shouldReportNothingWhenOperatorsCloseTheirOwn() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      OperatorMemory sort = memory.operator("Sort", null);
      task.context().addTaskCompletionListener((TaskCompletionListener) ended -> sort.close());
      sort.allocate(4096);

      task.complete();

      assertThat(task.sparkCleansUp()).isZero();
      assertThat(fixture.executor.taskSucceeded())
          .hasValueSatisfying(
              report -> {
                assertThat(report.leakedBytes()).isZero();
                assertThat(report.peakBytes()).isEqualTo(4096);
              });
      assertThat(fixture.executor.taskSucceeded()).as("the thread is unbound").isEmpty();
    }
  }

  @Test
  void shouldCloseTheRestWhenOneCloseFails() {
    List<Long> freed = new ArrayList<>();
    PageSource pages =
        new PageSource() {
          @Override
          void free(long address, long bytes) {
            super.free(address, bytes);
            freed.add(bytes);
            if (bytes == 8192) {
              throw new IllegalStateException("the second operator's block, says the test");
            }
          }
        };
    try (Fixture fixture = new Fixture(SparkTask.conf(8 * MIB), pages)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      memory.operator("first", null).allocate(4096);
      memory.operator("second", null).allocate(8192);
      memory.operator("third", null).allocate(12288);

      assertThatThrownBy(() -> task.fail(new IllegalStateException("boom")))
          .isInstanceOf(TaskCompletionListenerException.class)
          .hasMessageContaining("the second operator's block");

      assertThat(freed).as("in reverse order").containsExactly(12288L, 8192L, 4096L);
      assertThat(task.sparkCleansUp()).isZero();
      assertThat(fixture.executor.snapshot().openTasks()).isZero();
      assertThat(fixture.executor.taskFailed()).isPresent();
    }
  }

  @Test
  void shouldFreeWithoutReleasingToSparkWhenOnlyTheBackstopRuns() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask other = fixture.task();
      TaskMemory memory = fixture.executor.openTask(other.context());
      memory.operator("Sort", null).allocate(100 * KIB);
      long released = other.sparkCleansUp();
      assertThat(released).isGreaterThanOrEqualTo(100 * KIB);
      SparkTask neighbour = fixture.task();
      Thread neighbourThread =
          new Thread(
              () ->
                  fixture
                      .executor
                      .openTask(neighbour.context())
                      .operator("Scan", null)
                      .allocate(1 * MIB));
      neighbourThread.start();
      join(neighbourThread);
      long sparkBytes = fixture.sparkBytes();

      TaskReport report = fixture.executor.taskFailed().orElseThrow();

      assertThat(report.reclaimedBytes()).isEqualTo(100 * KIB);
      assertThat(other.overReleasedBytes()).as("Spark has taken it back already").isZero();
      assertThat(fixture.sparkBytes()).isEqualTo(sparkBytes);
      assertThat(fixture.executor.snapshot().usedBytes()).isEqualTo(1 * MIB);
      neighbour.complete();
      assertThat(neighbour.sparkCleansUp()).isZero();
      other.complete();
    }
  }

  @Test
  void shouldKeepTheOwnerInTheLedgerWhenNobodyCleansUp() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask task = fixture.task();
      fixture.executor.openTask(task.context()).operator("Sort", null).allocate(4096);
      task.sparkCleansUp();

      MemorySnapshot snapshot = fixture.executor.snapshot();

      assertThat(snapshot.usedBytes()).isEqualTo(4096);
      assertThat(snapshot.openTasks()).isOne();
      assertThat(snapshot.owners()).containsExactly("task 12 / Sort 4096 bytes in 1 block");
      task.fail(new IllegalStateException("boom"));
    }
  }

  @Test
  void shouldEndTheTaskAtItsNextBatchWhenItIsKilled() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      SparkTask task = fixture.task();
      OperatorMemory operator = fixture.executor.openTask(task.context()).operator("Sort", null);
      operator.allocate(4096);
      operator.batchBoundary();
      task.kill();

      assertThatThrownBy(operator::batchBoundary).isInstanceOf(TaskKilledException.class);

      task.fail(new TaskKilledException("killed by the test"));
      assertThat(fixture.executor.snapshot().usedBytes()).isZero();
      assertThat(fixture.executor.snapshot().reclaimedBytes()).isEqualTo(4096);
      assertThat(task.sparkCleansUp()).isZero();
    }
  }

  @Test
  void shouldOpenOnceAndRefuseAfterTheEnd() {
    try (Fixture fixture = new Fixture(8 * MIB)) {
      assertThat(fixture.executor.taskFailed()).as("nothing is bound").isEmpty();
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      assertThat(fixture.executor.openTask(task.context())).isSameAs(memory);
      assertThat(fixture.executor.task(task.context())).isSameAs(memory);
      assertThat(fixture.executor.ofCurrentThread()).containsSame(memory);
      OperatorMemory sort = memory.operator("Sort", null);

      task.complete();

      assertThatThrownBy(() -> memory.operator("late", null))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("task 12 is CLOSED");
      assertThatThrownBy(() -> sort.allocate(1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
      assertThatThrownBy(() -> fixture.executor.task(task.context()).operator("late", null))
          .isInstanceOf(IllegalStateException.class);
      assertThat(fixture.executor.snapshot().openTasks()).isZero();
      assertThat(fixture.sparkBytes()).isZero();
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
