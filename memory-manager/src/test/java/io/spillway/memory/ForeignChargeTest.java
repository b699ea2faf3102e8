package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.spark.memory.SparkOutOfMemoryError;
import org.junit.jupiter.api.Test;

/** Memory that others allocate counts for Spark as if it were the operator's own. */
class ForeignChargeTest {
  @Test
  void shouldReserveWhatOthersAllocatedAndMakeTheTaskSpillForIt() {
    try (Fixture fixture = new Fixture(4 * MIB)) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      PagedState state = new PagedState(() -> {}).open(memory, "HashAggregate");
      OperatorMemory scan = memory.operator("Scan", null);
      ForeignCharge vectors = scan.foreignCharge();
      vectors.resize(1 * MIB);
      assertThat(scan.usedBytes()).isEqualTo(1 * MIB);
      assertThat(task.sparkBytes()).isGreaterThanOrEqualTo(1 * MIB);
      assertThat(fixture.executor.snapshot().usedBytes()).as("no block of ours").isZero();
      for (int i = 0; i < 2; i++) {
        state.grow(1 * MIB);
      }

      vectors.resize(3 * MIB);

      assertThat(state.spills()).isPositive();
      vectors.resize(64 * KIB);
      assertThat(scan.usedBytes()).isEqualTo(64 * KIB);
      assertThatThrownBy(() -> vectors.resize(5 * MIB))
          .isInstanceOf(SparkOutOfMemoryError.class)
          .hasMessageContaining("Scan");
      assertThat(vectors.bytes()).as("as before").isEqualTo(64 * KIB);
      vectors.close();
      vectors.close();
      assertThat(scan.usedBytes()).isZero();
      state.memory().close();
      task.complete();
      assertThat(task.sparkCleansUp()).isZero();
      assertThat(fixture.sparkBytes()).isZero();
    }
  }

  @Test
  void shouldGoBackToSparkWithItsOperator() {
    try (Fixture fixture = new Fixture(4 * MIB)) {
      SparkTask task = fixture.task();
      OperatorMemory scan = fixture.executor.openTask(task.context()).operator("Scan", null);
      ForeignCharge vectors = scan.foreignCharge();
      vectors.resize(1 * MIB);

      task.complete();

      assertThat(task.sparkCleansUp()).isZero();
      assertThat(task.overReleasedBytes()).isZero();
      assertThat(fixture.executor.snapshot().leakedBytes()).as("not ours to leak").isZero();
      assertThatThrownBy(() -> vectors.resize(2 * MIB)).isInstanceOf(IllegalStateException.class);
    }
  }
}
