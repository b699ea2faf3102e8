package example;

import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.sum;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The job under test: it knows nothing of Spillway. */
public final class Totals {
  private Totals() {}

  /** Orders by region, with count and sum. */
  public static Dataset<Row> byRegion(SparkSession spark) {
    return spark
        .range(0, 2000, 1, 2)
        .selectExpr("id % 5 as region", "id * 3 as amount")
        .groupBy("region")
        .agg(count("amount"), sum("amount"));
  }
}
