package io.spillway.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import scala.Option;

/** A local session with the plugin, and the tables that planning is tested on. */
final class PlanSession implements AutoCloseable {
  private final SparkSession spark;

  private PlanSession(SparkSession spark) {
    this.spark = spark;
  }

  static PlanSession open(Path folder) {
    SparkSession spark =
        SparkSession.builder()
            .master("local[2,4]")
            .appName("spillway-plan-test")
            .config("spark.plugins", "io.spillway.SpillwayPlugin")
            .config("spark.memory.offHeap.enabled", "true")
            .config("spark.memory.offHeap.size", "128m")
            .config("spark.sql.shuffle.partitions", "3")
            .config("spark.driver.host", "localhost")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toString())
            .getOrCreate();
    spark
        .sql(
            """
            select id, id % 10 as k, concat('g', id % 7) as g,
              cast(id % 100 as decimal(10, 2)) as price, id / 3.0D as x
            from range(0, 2000, 1, 2)
            """)
        .write()
        .parquet(folder.resolve("sales").toString());
    spark.read().parquet(folder.resolve("sales").toString()).createOrReplaceTempView("sales");
    return new PlanSession(spark);
  }

  SparkSession spark() {
    return spark;
  }

  /** Runs something with a setting of the session, which is as before afterwards. */
  <T> T with(String key, String value, Supplier<T> action) {
    Option<String> before = spark.conf().getOption(key);
    spark.conf().set(key, value);
    try {
      return action.get();
    } finally {
      if (before.isDefined()) {
        spark.conf().set(key, before.get());
      } else {
        spark.conf().unset(key);
      }
    }
  }

  /** The plan before anything has run; without adaptive execution's frame around it. */
  static SparkPlan planned(Dataset<Row> frame) {
    SparkPlan plan = frame.queryExecution().executedPlan();
    return plan instanceof AdaptiveSparkPlanExec adaptive ? adaptive.executedPlan() : plan;
  }

  /** The nodes of a plan of one class, as deep as children go. */
  static <T> List<T> nodes(SparkPlan plan, Class<T> type) {
    List<T> found = new ArrayList<>();
    PlanWalk.of(
        plan,
        (node, kind, depth) -> {
          if (type.isInstance(node)) {
            found.add(type.cast(node));
          }
        });
    return found;
  }

  /** The rows as sorted text. */
  static List<String> rows(Dataset<Row> frame) {
    return frame.collectAsList().stream().map(Row::toString).sorted().toList();
  }

  /** The rows that Spark alone gives. */
  List<String> plainRows(String sql) {
    return with(PlanSettings.ENABLED, "false", () -> rows(spark.sql(sql)));
  }

  @Override
  public void close() {
    spark.stop();
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
  }
}
