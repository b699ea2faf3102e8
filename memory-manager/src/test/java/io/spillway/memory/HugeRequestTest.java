package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.memory.guard.ContainerGuard;
import io.spillway.memory.guard.MemoryReader.Reading;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that no machine could serve are refused like any other, wherever they are made. */
class HugeRequestTest {
  private static Fixture fixture() {
    SparkConf conf = SparkTask.conf(8 * MIB);
    return new Fixture(
        conf,
        new PageSource(),
        new ContainerGuard(
            MemorySettings.fromConf(conf).guard(),
            () -> new Reading("/pod", 100 * MIB, 1000 * MIB, 100 * MIB),
            System::nanoTime));
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        Long.MAX_VALUE,
        Long.MAX_VALUE - 1,
        Long.MAX_VALUE - 4096,
        Long.MAX_VALUE - (1 << 20),
        1L << 62,
        1L << 46
      })
  void shouldBeRefusedLikeAnyOther(long bytes) {
    try (Fixture fixture = fixture()) {
      SparkTask task = fixture.task();
      TaskMemory memory = fixture.executor.openTask(task.context());
      OperatorMemory scan = memory.operator("Scan", null);
      ForeignCharge vectors = scan.foreignCharge();
      NativeBlock kept = scan.allocate(64 * KIB);

      assertThatThrownBy(() -> scan.allocate(bytes))
          .isInstanceOf(SparkOutOfMemoryError.class)
          .hasNoCause()
          .hasMessageContaining("container");
      assertThat(scan.tryAllocate(bytes)).isNull();
      assertThatThrownBy(() -> scan.allocator().buffer(bytes))
          .isInstanceOf(SparkOutOfMemoryError.class);
      assertThatThrownBy(() -> vectors.resize(bytes)).isInstanceOf(SparkOutOfMemoryError.class);
      assertThatThrownBy(
              () ->
                  fixture
                      .executor
                      .shared()
                      .lease("table", Long.class, memory, region -> region.allocate(bytes)))
          .isInstanceOf(SparkOutOfMemoryError.class)
          .hasNoCause();

      assertThat(scan.usedBytes()).isEqualTo(kept.size());
      assertThat(vectors.bytes()).isZero();
      assertThat(scan.allocator().getAllocatedMemory()).isEqualTo(kept.size());
      kept.close();
      scan.close();
      task.complete();
      assertThat(fixture.executor.snapshot()).returns(0L, MemorySnapshot::usedBytes);
      assertThat(fixture.spark.offHeapStorageMemoryUsed()).isZero();
      assertThat(task.sparkCleansUp()).isZero();
    }
  }
}
