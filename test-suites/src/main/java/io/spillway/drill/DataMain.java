package io.spillway.drill;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Makes a drill's tables with a plain local Spark, in a JVM of its own.
 *
 * <p>Arguments: the folder that the tables are moved to when all are made, the folder they are made
 * in, and the scale factor.
 */
public final class DataMain {
  /** Files of each large table: as many as a pass has partitions, so that a scan is cut evenly. */
  private static final int FILES = DrillQueries.PARTITIONS;

  private DataMain() {}

  /** Makes the tables. */
  public static void main(String[] arguments) throws IOException {
    DrillData target = new DrillData(Path.of(arguments[0]), new BigDecimal(arguments[2]));
    DrillData making = new DrillData(Path.of(arguments[1]), target.scale());
    ChildEvents events = ChildEvents.onStandardOutput();
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("spillway-drill data")
            .config("spark.ui.enabled", false)
            .config("spark.sql.datetime.java8API.enabled", true)
            .getOrCreate()) {
      make(spark, making, events);
    }
    Files.createDirectories(target.directory().toAbsolutePath().getParent());
    Files.move(making.directory(), target.directory(), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Writes the three tables below the folder of {@code data}. */
  static void make(SparkSession spark, DrillData data, ChildEvents events) {
    JavaSparkContext context = new JavaSparkContext(spark.sparkContext());
    List<Integer> parts = IntStream.rangeClosed(1, FILES).boxed().toList();
    double scale = data.scale().doubleValue();
    events.progress("lineitem of TPC-H at scale " + data.scale().toPlainString());
    JavaRDD<Row> items =
        context.parallelize(parts, FILES).flatMap(part -> LineItems.rows(scale, part, FILES));
    write(spark.createDataFrame(items, LineItems.SCHEMA), data.lineitem());

    long rows = data.transactionRows();
    events.progress(rows + " transactions");
    JavaRDD<Row> transactions =
        context
            .parallelize(parts, FILES)
            .flatMap(part -> Transactions.rows(rows * (part - 1) / FILES, rows * part / FILES));
    write(spark.createDataFrame(transactions, Transactions.SCHEMA), data.transactions());
    write(
        spark.createDataFrame(Transactions.regions(), Transactions.REGIONS_SCHEMA).coalesce(1),
        data.regions());
  }

  private static void write(Dataset<Row> table, String path) {
    table.write().parquet(path);
  }
}
