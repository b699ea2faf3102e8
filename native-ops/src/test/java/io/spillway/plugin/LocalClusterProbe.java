package io.spillway.plugin;

import io.spillway.plan.Explain;
import io.spillway.plan.PlanFigures;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.awaitility.Awaitility;

/**
 * An application on a real small cluster, in a process of its own: a query, an executor that dies,
 * another query. Prints what the driver knows after the end.
 */
public final class LocalClusterProbe {
  private static final String QUERY =
      "select k, sum(id) from (select id, id % 1000 as k from range(0, 100000, 1, 8)) group by k";

  private LocalClusterProbe() {}

  /**
   * Runs the application.
   *
   * @param arguments class path of the executors, a folder for files, and the executors' folder for
   *     temporary files: if there is none nothing can be loaded there, and no executor dies
   */
  public static void main(String[] arguments) {
    Path marker = Path.of(arguments[1], "halted");
    SparkSession spark =
        SparkSession.builder()
            .config("spark.executor.extraJavaOptions", "-Djava.io.tmpdir=" + arguments[2])
            // The default's library is unpacked into the folder for temporary files.
            .config("spark.shuffle.mapStatus.compression.codec", "lz4")
            .master("local-cluster[2,1,512]")
            .appName("spillway-local-cluster")
            .config("spark.plugins", "io.spillway.SpillwayPlugin")
            .config("spark.memory.offHeap.enabled", "true")
            .config("spark.memory.offHeap.size", "32m")
            .config("spark.executor.memory", "512m")
            .config("spark.executor.extraClassPath", arguments[0])
            .config("spark.sql.shuffle.partitions", "4")
            .config("spark.driver.host", "localhost")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.enabled", "false")
            .config("spark.local.dir", arguments[1])
            .getOrCreate();
    if (Files.exists(Path.of(arguments[2]))) {
      query(spark);
      haltOneExecutor(spark, marker);
      query(spark);
      stop(spark);
      report(marker);
    } else {
      Awaitility.await("an executor has said that it has no kernels")
          .atMost(Duration.ofMinutes(1))
          .until(() -> explain(spark).contains("cannot run native operators"));
      System.out.println("EXPLAIN " + explain(spark).replace('\n', ' '));
      query(spark);
      stop(spark);
    }
  }

  private static void stop(SparkSession spark) {
    long start = System.nanoTime();
    spark.stop();
    System.out.println("STOPPED " + (System.nanoTime() - start) / 1_000_000);
  }

  private static void report(Path marker) {
    for (ExecutorReport report : ClusterMemory.latest().orElseThrow().reports()) {
      System.out.println(
          "REPORT "
              + report.executorId()
              + " last="
              + report.last()
              + " used="
              + report.usedBytes()
              + " peak="
              + (report.peakBytes() > 0));
    }
    try {
      System.out.println("HALTED " + Files.readString(marker));
    } catch (IOException e) {
      throw new IllegalStateException("no executor was halted", e);
    }
  }

  private static String explain(SparkSession spark) {
    return Explain.of(spark.sql(QUERY));
  }

  private static void query(SparkSession spark) {
    Dataset<Row> query = spark.sql(QUERY);
    System.out.println("ROWS " + query.collectAsList().size());
    System.out.println(
        "EXCHANGE "
            + query.queryExecution().executedPlan().toString().contains("SpillwayExchange"));
    System.out.println(
        "NATIVE " + PlanFigures.of(query.queryExecution().executedPlan()).nativeOperators());
  }

  private static void haltOneExecutor(SparkSession spark, Path marker) {
    String file = marker.toString();
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    List<Integer> results =
        context
            .parallelize(List.of(1), 1)
            .map(
                one -> {
                  try {
                    Files.writeString(
                        Path.of(file), SparkEnv.get().executorId(), StandardOpenOption.CREATE_NEW);
                  } catch (FileAlreadyExistsException e) {
                    return one;
                  }
                  Runtime.getRuntime().halt(3);
                  return one;
                })
            .collect();
    System.out.println("RETRIED " + results.size());
  }
}
