package io.spillway.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SparkVersionsTest {
  @ParameterizedTest
  @CsvSource({"3.5.9, 2.12.18", "3.5.0, 2.12.0", "3.5.4-vendor-1, 2.12.20", "3.5, 2.12"})
  void shouldRunWhenTheVersionsAreThoseThatItIsMadeFor(String spark, String scala) {
    assertThat(SparkVersions.problem(spark, scala)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "3.4.3, 2.12.18",
    "3.50.1, 2.12.18",
    "4.0.0, 2.13.16",
    "3.5.9, 2.13.8",
    "13.5.1, 2.12.18",
    "3.5.9, 2.1.2"
  })
  void shouldStayOffAndNameTheVersionsWhenTheyAreOthers(String spark, String scala) {
    assertThat(SparkVersions.problem(spark, scala))
        .hasValue(
            "this jar is for Spark 3.5 with Scala 2.12, and this is Spark "
                + spark
                + " with Scala "
                + scala);
  }

  @Test
  void shouldRunWithTheSparkOfThisBuild() {
    assertThat(
            SparkVersions.problem(
                org.apache.spark.package$.MODULE$.SPARK_VERSION(),
                scala.util.Properties.versionNumberString()))
        .isEmpty();
  }
}
