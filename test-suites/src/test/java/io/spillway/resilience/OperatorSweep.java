package io.spillway.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.FaultReport;
import io.spillway.testing.ResilienceSuite;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.junit.jupiter.api.AfterEach;
import scala.collection.JavaConverters;

/** One query in very little memory, which must really run the operators that it is a sweep over. */
abstract class OperatorSweep extends ResilienceSuite {

  /** The query, whose operators have state. */
  abstract String query();

  /** What its tasks may have, in bytes: so little that the state does not fit. */
  abstract long leftBytes();

  /** Makes what the query reads, where it is not there yet. */
  void prepare(SparkSession spark) {}

  /**
   * A cached table of numbers in two partitions, which Spark keeps and hands out in columns: only
   * the first job fills it, and its calls must be the others' too.
   */
  static void cacheNumbers(SparkSession spark, int rows) {
    spark.conf().set("spark.spillway.operator.cache.enabled", "false");
    if (!spark.catalog().tableExists("numbers")) {
      spark.sql(
          "cache lazy table numbers as select id as v, id * 7919 %% %1$d as k from range(0, %1$d, 1, 2)"
              .formatted(rows));
    }
  }

  @Override
  protected final Dataset<Row> job(SparkSession spark) {
    ScarceMemory.leave(leftBytes());
    prepare(spark);
    Dataset<Row> rows = spark.sql(query());
    SparkPlan plan = rows.queryExecution().executedPlan();
    for (Class<?> operator : getClass().getAnnotation(SweepOver.class).value()) {
      assertThat(has(plan, operator)).as("%s in the plan%n%s", operator, plan).isTrue();
    }
    return rows;
  }

  /** A query that has grown beyond that would have the soak test a sample only. */
  @AfterEach
  void shouldBeSmallEnoughForTheSoakToTakeEveryCall(FaultReport report) {
    assertThat(FaultCount.ofSoak(report))
        .as("faults that the soak injects")
        .isLessThan(EveryFault.MOST);
  }

  private static boolean has(SparkPlan plan, Class<?> operator) {
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      return has(adaptive.executedPlan(), operator);
    }
    return operator.isInstance(plan)
        || JavaConverters.seqAsJavaList(plan.children()).stream()
            .anyMatch(child -> has(child, operator));
  }
}
