package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.chaos.internal.dispatch.SpillwayLedger;
import io.spillway.memory.ExecutorMemory;
import io.spillway.memory.MemorySnapshot;
import io.spillway.memory.NativeBlock;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** The agent reads Spillway's ledger by name alone: this is the real one. */
class SpillwayLedgerTest {
  private static final long BLOCK_BYTES = 128 << 10;

  @Test
  void shouldReadWhatIsUsedLeakedAndReclaimedWithItsOwners() {
    assertThat(ledger()).isNull();
    try (SparkSession spark = session()) {
      assertThat(job(spark, false)).containsExactly(BLOCK_BYTES, 0L, 0L);
      SpillwayLedger leaked = ledger();
      assertThat(leaked.usedBytes()).isZero();
      assertThat(leaked.leakedBytes()).isEqualTo(BLOCK_BYTES);
      assertThat(leaked.reclaimedBytes()).isZero();
      assertThat(leaked.owners()).singleElement().asString().contains("/ Hoard 131072 bytes");

      assertThatThrownBy(() -> job(spark, true))
          .isInstanceOf(SparkException.class)
          .hasMessageContaining("on purpose");
      SpillwayLedger reclaimed = ledger();
      assertThat(reclaimed.usedBytes()).isZero();
      assertThat(reclaimed.leakedBytes()).isEqualTo(BLOCK_BYTES);
      assertThat(reclaimed.reclaimedBytes()).isEqualTo(BLOCK_BYTES);

      MemorySnapshot own = ExecutorMemory.installed().orElseThrow().snapshot();
      assertThat(reclaimed)
          .isEqualTo(
              new SpillwayLedger(
                  own.usedBytes(), own.leakedBytes(), own.reclaimedBytes(), own.owners()));
    }
    assertThat(ledger()).as("the plugin is gone").isNull();
  }

  /** The figures that a task sees while it holds a block, which it never gives back. */
  private static List<Long> job(SparkSession spark, boolean fails) {
    SparkContext context = spark.sparkContext();
    return JavaSparkContext.fromSparkContext(context)
        .parallelize(List.of(fails), 1)
        .mapPartitions(SpillwayLedgerTest::hoard)
        .collect();
  }

  private static Iterator<Long> hoard(Iterator<Boolean> fails) {
    NativeBlock block =
        ExecutorMemory.installed()
            .orElseThrow()
            .task(TaskContext.get())
            .operator("Hoard", null)
            .allocate(BLOCK_BYTES);
    assertThat(block).isNotNull();
    if (fails.next()) {
      throw new IllegalStateException("on purpose");
    }
    SpillwayLedger seen = ledger();
    return List.of(seen.usedBytes(), seen.leakedBytes(), seen.reclaimedBytes()).iterator();
  }

  private static SpillwayLedger ledger() {
    return SpillwayLedger.of(SpillwayLedgerTest.class.getClassLoader()).orElse(null);
  }

  private static SparkSession session() {
    return SparkSession.builder()
        .master("local[1]")
        .appName("ledger")
        .config("spark.plugins", "io.spillway.SpillwayPlugin")
        .config("spark.memory.offHeap.enabled", "true")
        .config("spark.memory.offHeap.size", "64m")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate();
  }
}
