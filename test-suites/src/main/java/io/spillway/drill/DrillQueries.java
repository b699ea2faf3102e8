package io.spillway.drill;

import static org.apache.spark.sql.functions.avg;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.rank;
import static org.apache.spark.sql.functions.sum;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.expressions.Window;

/** The queries of the drill, in the order in which every pass runs them. */
final class DrillQueries {
  /** Partitions of every scan and every shuffle of a pass. */
  static final int PARTITIONS = 4;

  private static final String TPCH_1 =
      """
      SELECT l_returnflag, l_linestatus,
             sum(l_quantity) AS sum_qty,
             sum(l_extendedprice) AS sum_base_price,
             sum(l_extendedprice * (1 - l_discount)) AS sum_disc_price,
             sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) AS sum_charge,
             avg(l_quantity) AS avg_qty,
             avg(l_extendedprice) AS avg_price,
             avg(l_discount) AS avg_disc,
             count(*) AS count_order
      FROM lineitem
      WHERE l_shipdate <= date '1998-12-01' - interval '90' day
      GROUP BY l_returnflag, l_linestatus
      ORDER BY l_returnflag, l_linestatus
      """;

  private static final String TPCH_6 =
      """
      SELECT sum(l_extendedprice * l_discount) AS revenue
      FROM lineitem
      WHERE l_shipdate >= date '1994-01-01'
        AND l_shipdate < date '1994-01-01' + interval '1' year
        AND l_discount BETWEEN 0.06 - 0.01 AND 0.06 + 0.01
        AND l_quantity < 24
      """;

  private static final String PER_ORDER =
      """
      SELECT l_orderkey,
             sum(l_quantity) AS quantity,
             sum(l_extendedprice) AS price,
             count(*) AS lines,
             avg(l_extendedprice) AS average_price,
             avg(l_linenumber) AS average_line,
             min(l_discount) AS least_discount,
             max(l_tax) AS most_tax,
             min(l_shipdate) AS first_ship,
             max(l_receiptdate) AS last_receipt,
             min(l_linenumber) AS first_line,
             max(l_partkey) AS most_part
      FROM lineitem
      GROUP BY l_orderkey
      """;

  private static final String TRANSACTIONS =
      """
      SELECT region, category,
             sum(amount) AS total,
             count(*) AS transactions,
             avg(amount) AS average,
             rank() OVER (PARTITION BY region ORDER BY sum(amount) DESC) AS rank
      FROM transactions
      WHERE amount > 0
      GROUP BY region, category
      """;

  private static final String CACHED = "dashboard_transactions";

  private DrillQueries() {}

  static List<DrillQuery> all() {
    return List.of(
        sql("tpch-1", true, TPCH_1),
        sql("tpch-6", false, TPCH_6),
        sql("per-order", false, PER_ORDER),
        sql("transactions", false, TRANSACTIONS),
        new DrillQuery("dashboard", false, DrillQueries::cache, DrillQueries::dashboard));
  }

  /** Makes the tables known to the session by name. */
  static void register(SparkSession spark, DrillData data) {
    spark.read().parquet(data.lineitem()).createOrReplaceTempView("lineitem");
    spark.read().parquet(data.transactions()).createOrReplaceTempView("transactions");
    spark.read().parquet(data.regions()).createOrReplaceTempView("regions");
  }

  private static DrillQuery sql(String name, boolean ordered, String text) {
    return new DrillQuery(name, ordered, null, (spark, data) -> spark.sql(text));
  }

  private static void cache(SparkSession spark, DrillData data) {
    Dataset<Row> frame = spark.read().parquet(data.transactions()).cache();
    frame.createOrReplaceTempView(CACHED);
    frame.count();
  }

  private static Dataset<Row> dashboard(SparkSession spark, DrillData data) {
    Dataset<Row> regions = spark.table("regions");
    Dataset<Row> revenue =
        spark
            .table(CACHED)
            .join(
                regions,
                scala.collection.JavaConverters.asScalaBuffer(List.of("region")).toSeq(),
                "left")
            .where(col("amount").gt(100))
            .groupBy("region", "city", "category")
            .agg(
                sum("amount").as("total"),
                avg("amount").as("average"),
                count(lit(1)).as("transactions"),
                sum(col("amount").multiply(col("quantity"))).as("revenue"));
    return revenue.withColumn(
        "rank", rank().over(Window.partitionBy("region").orderBy(col("revenue").desc())));
  }
}
