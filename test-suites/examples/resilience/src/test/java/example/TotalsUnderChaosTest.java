package example;

import static io.spillway.testing.SpillwayAssertions.assertNoNativeLeaks;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.ChaosTest;
import io.spillway.testing.FaultReport;
import io.spillway.testing.SpillwaySession;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** A plan under two seeds, on Spark without Spillway, and a plain test beside it. */
@SpillwaySession(plugin = false)
class TotalsUnderChaosTest {
  @ChaosTest(
      seed = {1, 2},
      rules = "{point: task.end, fault: exception, when: {nth: 1}, where: {partition: 0}}")
  void shouldBearLostTasks(SparkSession spark, FaultReport report) {
    assertThat(report.result(Totals.byRegion(spark))).hasSize(5);
  }

  @Test
  void shouldLeaveNothingBehind(SparkSession spark) throws Throwable {
    assertNoNativeLeaks(() -> assertThat(Totals.byRegion(spark).count()).isEqualTo(5));
  }
}
