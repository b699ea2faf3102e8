package io.spillway.joint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.sql.spillway.PassThroughExchangeExec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.runtime.AbstractPartialFunction;

/**
 * The joint that a columnar exchange stands on: a thin Scala class in a package of Spark's, put in
 * by a query-stage preparation rule, runs under adaptive execution with its partitions coalesced.
 */
class ColumnarExchangeJointTest {
  @TempDir Path folder;

  /** Replaces Spark's exchanges over columnar children. */
  private static final class Replacement extends Rule<SparkPlan> {
    @Override
    public SparkPlan apply(SparkPlan plan) {
      return plan.transformUp(
          new AbstractPartialFunction<SparkPlan, SparkPlan>() {
            @Override
            public boolean isDefinedAt(SparkPlan node) {
              return node instanceof ShuffleExchangeExec exchange
                  && exchange.child().supportsColumnar();
            }

            @Override
            public SparkPlan apply(SparkPlan node) {
              ShuffleExchangeExec exchange = (ShuffleExchangeExec) node;
              return new PassThroughExchangeExec(exchange, exchange.child());
            }
          });
    }
  }

  @Test
  void shouldRunUnderAdaptiveExecutionWhenAnExchangeTakesAndGivesBatches() {
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("joint")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "localhost")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "20")
            .withExtensions(
                extensions -> {
                  extensions.injectQueryStagePrepRule(session -> new Replacement());
                  return scala.runtime.BoxedUnit.UNIT;
                })
            .getOrCreate()) {
      String path = folder.resolve("numbers").toString();
      spark.range(0, 10_000, 1, 3).selectExpr("id as a", "id % 7 as b").write().parquet(path);

      Dataset<Row> query =
          spark.read().parquet(path).repartition(new org.apache.spark.sql.Column("b"));
      assertThat(query.queryExecution().executedPlan().toString())
          .as("the plan before it runs")
          .contains("PassThroughExchange");
      List<Row> rows = query.selectExpr("count(*)", "sum(a)", "count(distinct b)").collectAsList();

      assertThat(rows.get(0).getLong(0)).isEqualTo(10_000);
      assertThat(rows.get(0).getLong(1)).isEqualTo(10_000L * 9_999 / 2);
      assertThat(rows.get(0).getLong(2)).isEqualTo(7);

      List<Row> all = query.collectAsList();
      assertThat(all).hasSize(10_000);
      assertThat(query.queryExecution().executedPlan().toString())
          .as("the plan after it ran")
          .contains("PassThroughExchange")
          .contains("AQEShuffleRead coalesced");
    }
  }
}
