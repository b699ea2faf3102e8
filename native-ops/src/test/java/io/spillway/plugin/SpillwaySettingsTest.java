package io.spillway.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.memory.MemorySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

class SpillwaySettingsTest {
  @Test
  void shouldNameBothSettingsWhenOffHeapMemoryIsMissing() {
    assertThat(SpillwaySettings.missing(new SparkConf(false)))
        .hasValueSatisfying(
            reason ->
                assertThat(reason)
                    .contains("spark.memory.offHeap.enabled", "spark.memory.offHeap.size"));
  }

  @Test
  void shouldMissNothingWhenOffHeapMemoryIsThere() {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.memory.offHeap.enabled", "true")
            .set("spark.memory.offHeap.size", "64m");

    assertThat(SpillwaySettings.missing(conf)).isEmpty();
  }

  @Test
  void shouldHandTheMemorySettingsOverWhenTheDriverIsActive() {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.master", "local[3]")
            .set("spark.memory.offHeap.enabled", "true")
            .set("spark.memory.offHeap.size", "64m")
            .set(MemorySettings.WAIT_ATTEMPTS, "4");

    MemorySettings handed =
        SpillwaySettings.fromDriver(SpillwaySettings.of(conf).forExecutors()).orElseThrow();

    assertThat(handed.offHeapBytes()).isEqualTo(64L << 20);
    assertThat(handed.taskSlots()).isEqualTo(3);
    assertThat(handed.waitAttempts()).isEqualTo(4);
  }

  @Test
  void shouldStayOffWhenTheDriverHandedNothingOver() {
    assertThat(SpillwaySettings.fromDriver(Map.of())).isEmpty();
  }

  @Test
  void shouldNameTheSettingWhenItsValueIsWrong() {
    SparkConf conf = new SparkConf(false).set(SpillwaySettings.SHUTDOWN_WAIT, "soon");

    assertThatThrownBy(() -> SpillwaySettings.of(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(SpillwaySettings.SHUTDOWN_WAIT)
        .hasMessageContaining("soon");
  }

  @Test
  void shouldNameTheNearestSettingWhenOneIsMisspelt() {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.spillway.memory.waitAtempts", "4")
            .set("spark.spillway.enabled", "true")
            .set("spark.spillway.chaos.plan", "/a/plan")
            .set("spark.executor.memory", "1g");

    assertThat(UnknownSettings.in(conf))
        .containsExactly(
            "spark.spillway.memory.waitAtempts is no setting of Spillway and does nothing; the"
                + " nearest is spark.spillway.memory.waitAttempts");
  }

  @Test
  void shouldStandInTheDocumentationAsTheCodeHasThem() throws IOException {
    String documentation = Files.readString(Path.of("..", "docs", "configuration.md"));

    assertThat(documentation)
        .as("docs/configuration.md must hold the table that SpillwaySettings.markdown() makes")
        .contains(SpillwaySettings.markdown());
  }
}
