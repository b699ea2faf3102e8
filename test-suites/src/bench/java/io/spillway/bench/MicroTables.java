package io.spillway.bench;

import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

/** Tables for the small workloads, in Parquet; every row is a function of its number. Stateless. */
final class MicroTables {
  private static final long ROWS_AT_ONE = 20_000_000;
  private static final int FILES = 8;

  private MicroTables() {}

  /** Writes the tables below a folder that must not have them yet. */
  static void write(SparkSession spark, Path directory, double scale) {
    long rows = (long) (ROWS_AT_ONE * scale);
    long keys = Math.max(1, rows / 4);
    long built = Math.max(1, rows / 10);
    spark
        .range(0, rows, 1, FILES)
        .selectExpr(
            "abs(xxhash64(id)) % " + keys + " AS k",
            "abs(xxhash64(id, 1)) % " + built + " AS b",
            "element_at(array('north', 'south', 'east', 'west', 'centre'),"
                + " cast(abs(xxhash64(id, 2)) % 5 AS int) + 1) AS s",
            "cast(abs(xxhash64(id, 3)) % 1000 AS int) AS i",
            "(abs(xxhash64(id, 4)) % 1000000) / 1000000D AS x")
        .write()
        .parquet(directory.resolve("micro").toString());
    spark
        .range(0, built, 1, FILES)
        .selectExpr("id", "abs(xxhash64(id, 5)) % 1000 AS v")
        .write()
        .parquet(directory.resolve("build").toString());
    spark
        .read()
        .parquet(directory.resolve("micro").toString())
        .where("b % 2 = 0")
        .select("k", "i", "x")
        .write()
        .parquet(directory.resolve("sorted").toString());
  }

  /** Makes the tables known to a session by name. */
  static void register(SparkSession spark, Path directory) {
    for (String name : new String[] {"micro", "build", "sorted"}) {
      spark.read().parquet(directory.resolve(name).toString()).createOrReplaceTempView(name);
    }
  }
}
