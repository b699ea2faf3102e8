package io.spillway.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.memory.guard.GuardSettings;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  private static SparkConf conf() {
    return new SparkConf(false)
        .set("spark.memory.offHeap.enabled", "true")
        .set("spark.memory.offHeap.size", "64m");
  }

  @Test
  void shouldSurviveTheWayToTheExecutor() {
    MemorySettings settings =
        MemorySettings.fromConf(
            conf()
                .set("spark.master", "local-cluster[2,4,1024]")
                .set(MemorySettings.QUANTUM, "256k")
                .set(MemorySettings.ON_LEAK, "FAIL")
                .set(MemorySettings.GUARD_ENABLED, "false")
                .set(MemorySettings.GUARD_HIGH, "0.8")
                .set(MemorySettings.GUARD_LOW, "0.75")
                .set(MemorySettings.GUARD_INTERVAL, "250"));

    MemorySettings arrived = MemorySettings.fromMap(settings.toMap());

    assertThat(arrived).usingRecursiveComparison().isEqualTo(settings);
    assertThat(arrived.offHeapBytes()).isEqualTo(64 << 20);
    assertThat(arrived.taskSlots()).isEqualTo(4);
    assertThat(arrived.minOperatorBytes()).isEqualTo(128 << 10);
    assertThat(arrived.onLeak()).isEqualTo(MemorySettings.OnLeak.FAIL);
    assertThat(arrived.guard()).isEqualTo(new GuardSettings(false, 0.8, 0.75, 250));
  }

  @ParameterizedTest
  @CsvSource({
    "spark.spillway.memory.quantum, lots",
    "spark.spillway.memory.minOperator, 1k",
    "spark.spillway.memory.waitAttempts, -1",
    "spark.spillway.memory.waitInitial, 0ms",
    "spark.spillway.memory.onLeak, explode",
    "spark.spillway.memory.allocationSites, perhaps",
    "spark.spillway.memory.guard.enabled, perhaps",
    "spark.spillway.memory.guard.high, 92%",
    "spark.spillway.memory.guard.high, 1.5",
    "spark.spillway.memory.guard.low, 0.95",
    "spark.spillway.memory.guard.low, NaN",
    "spark.spillway.memory.guard.intervalMillis, 0"
  })
  void shouldNameTheSettingWhenItsValueIsWrong(String key, String value) {
    assertThatThrownBy(() -> MemorySettings.fromConf(conf().set(key, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(key)
        .hasMessageContaining("'" + value + "'");
  }

  @ParameterizedTest
  @CsvSource({
    "local, 1",
    "local[3], 3",
    "'local[3,4]', 3",
    "'local-cluster[2,5,1024]', 5",
    "yarn, 1",
    "k8s://host, 1"
  })
  void shouldCountTheTasksThatRunAtOnce(String master, int slots) {
    assertThat(MemorySettings.fromConf(conf().set("spark.master", master)).taskSlots())
        .isEqualTo(slots);
  }

  @ParameterizedTest
  @CsvSource({
    // off-heap bytes, share, page, partition bits, rows
    "131072, 131072, 4096, 0, 256",
    "1048576, 524288, 4096, 4, 1024",
    "8388608, 4194304, 8192, 6, 4096",
    "67108864, 33554432, 65536, 6, 4096",
    "17179869184, 8589934592, 1048576, 6, 4096"
  })
  void shouldShrinkEverythingWithTheShare(
      long offHeapBytes, long share, int page, int bits, int rows) {
    MemoryBudget budget =
        new MemoryBudget(
            MemorySettings.fromConf(
                conf().set("spark.memory.offHeap.size", Long.toString(offHeapBytes))),
            1);

    assertThat(budget.shareBytes()).isEqualTo(share);
    assertThat(budget.pageBytes()).isEqualTo(page);
    assertThat(budget.partitionBits()).isEqualTo(bits);
    assertThat(budget.batchRows()).isEqualTo(rows);
    assertThat((long) budget.pageBytes() << budget.partitionBits())
        .as("a first page of every partition is a small part of the share")
        .isLessThanOrEqualTo(share / 8);
  }
}
