package io.spillway.memory;

import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A task's share is enough for three stateful operators at once, whatever it is. */
class BudgetTest {
  private static final int ROW_BYTES = 64;
  private static final List<String> NAMES = List.of("HashJoin", "HashAggregate", "Sort");

  private static Fixture fixture(long shareBytes) {
    return new Fixture(
        SparkTask.conf(shareBytes).set("spark.master", "local[1]"), new PageSource());
  }

  @ParameterizedTest(name = "share {0} MiB")
  @ValueSource(longs = {1, 2, 4, 64})
  void shouldHoldWhatThreeOperatorsBeginWithWithoutASpill(long mib) {
    try (Fixture fixture = fixture(mib * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      List<PagedState> operators = new ArrayList<>();
      for (String name : NAMES) {
        operators.add(new PagedState(() -> {}).open(memory, name));
      }
      for (PagedState each : operators) {
        MemoryBudget budget = memory.budget();
        assertThat(budget.shareBytes()).isEqualTo(mib * MIB / 3);
        for (int partition = 0; partition < 1 << budget.partitionBits(); partition++) {
          each.grow(budget.pageBytes());
        }
        // Input and output.
        each.grow((long) budget.batchRows() * ROW_BYTES);
        each.grow((long) budget.batchRows() * ROW_BYTES);
        assertThat(each.memory().usedBytes())
            .as("of an operator's part, with room for state")
            .isLessThanOrEqualTo(budget.shareBytes() / 2);
      }

      assertThat(operators).allMatch(each -> each.spills() == 0);
      assertThat(task.sparkBytes()).isLessThanOrEqualTo(mib * MIB);
      task.fail(new IllegalStateException("over, says the test"));
      assertThat(task.sparkCleansUp()).isZero();
    }
  }

  @ParameterizedTest(name = "share {0} MiB")
  @ValueSource(longs = {1, 2, 4, 64})
  void shouldLetEveryOneOfThreeOperatorsGoOnWhenEachWantsTheWholeShare(long mib) {
    try (Fixture fixture = fixture(mib * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      List<PagedState> operators = new ArrayList<>();
      for (String name : NAMES) {
        operators.add(new PagedState(() -> {}).open(memory, name));
      }
      int page = memory.budget().pageBytes();
      for (long grown = 0; grown < 2 * mib * MIB; grown += page) {
        for (PagedState each : operators) {
          each.grow(page);
        }
      }

      assertThat(operators).allMatch(each -> each.spills() > 0);
      assertThat(operators).allMatch(each -> each.memory().reservedBytes() >= 128 * 1024);
      task.fail(new IllegalStateException("over, says the test"));
      assertThat(task.sparkCleansUp()).isZero();
    }
  }

  @Test
  void shouldDivideByTheOperatorsThatThePlanCounts() {
    try (Fixture fixture = fixture(12 * MIB)) {
      TaskMemory memory = fixture.executor.openTask(fixture.task().context());

      assertThat(memory.budget().shareBytes()).as("two at least").isEqualTo(6 * MIB);
      assertThat(memory.budget(4).shareBytes()).isEqualTo(3 * MIB);
      assertThat(memory.budget(4).quantumBytes())
          .as("the quantum is the task's")
          .isEqualTo(memory.budget().quantumBytes());
    }
  }

  @Test
  void shouldCountAnOperatorNoLongerWhenItHasClosed() {
    try (Fixture fixture = fixture(12 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      List<PagedState> operators = new ArrayList<>();
      for (String name : NAMES) {
        operators.add(new PagedState(() -> {}).open(memory, name));
      }
      assertThat(memory.budget().shareBytes()).isEqualTo(4 * MIB);

      operators.get(0).memory().close();

      assertThat(memory.budget().shareBytes()).isEqualTo(6 * MIB);
      task.complete();
    }
  }
}
