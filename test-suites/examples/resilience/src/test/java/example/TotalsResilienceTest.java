package example;

import io.spillway.testing.FaultSweep;
import io.spillway.testing.ResilienceSuite;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Every kind of call fails, eight of them. */
@FaultSweep(max = 8)
class TotalsResilienceTest extends ResilienceSuite {
  @Override
  protected Dataset<Row> job(SparkSession spark) {
    return Totals.byRegion(spark);
  }
}
