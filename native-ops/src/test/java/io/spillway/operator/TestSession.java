package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.memory.ExecutorMemory;
import io.spillway.memory.MemorySnapshot;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.awaitility.Awaitility;

/** A local Spark with the plugin, as a job's owner would set it up. */
final class TestSession implements AutoCloseable {
  private final SparkSession spark;

  private TestSession(SparkSession spark) {
    this.spark = spark;
  }

  /**
   * @param cores tasks at once
   * @param offHeap as for {@code spark.memory.offHeap.size}
   */
  static TestSession open(int cores, String offHeap, Map<String, String> settings) {
    Map<String, String> all = new TreeMap<>();
    all.put("spark.plugins", "io.spillway.SpillwayPlugin");
    all.put("spark.memory.offHeap.enabled", "true");
    all.put("spark.memory.offHeap.size", offHeap);
    all.put("spark.sql.shuffle.partitions", "4");
    all.put("spark.ui.enabled", "false");
    all.put("spark.driver.host", "localhost");
    all.put("spark.driver.bindAddress", "127.0.0.1");
    all.put("spark.sql.warehouse.dir", System.getProperty("java.io.tmpdir") + "/warehouse");
    all.putAll(settings);
    SparkSession.Builder builder =
        SparkSession.builder().master("local[" + cores + ",4]").appName("spillway-test");
    all.forEach(builder::config);
    return new TestSession(builder.getOrCreate());
  }

  SparkSession spark() {
    return spark;
  }

  /**
   * A view {@code t} of 5000 rows in a file below the folder: id, k = id % 100, and 700 texts t.
   */
  void makeTexts(Path folder) {
    String path = folder.resolve("t").toString();
    spark
        .sql("select id, id % 100 as k, concat('text ', id % 700) as t from range(0, 5000, 1, 3)")
        .write()
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("t");
  }

  /**
   * Runs the query natively and on plain Spark, and says that both came to the same.
   *
   * @return the native query, which has run
   */
  Dataset<Row> assertSameAsSpark(String sql) {
    Results expected;
    spark.conf().set("spark.spillway.enabled", "false");
    try {
      expected = Results.of(spark.sql(sql));
    } finally {
      spark.conf().set("spark.spillway.enabled", "true");
    }
    Dataset<Row> nativeQuery = spark.sql(sql);
    Results actual = Results.of(nativeQuery);
    actual.assertEquals(expected, sql);
    assertThat(nativeQuery.queryExecution().executedPlan().toString())
        .as("the plan of: %s", sql)
        .contains("Spillway");
    assertNothingLeft();
    return nativeQuery;
  }

  /** The spill files in Spark's local directories. */
  static List<File> spillFiles() {
    List<File> found = new ArrayList<>();
    for (File directory : SparkEnv.get().blockManager().diskBlockManager().localDirs()) {
      for (File bucket : list(directory)) {
        for (File file : list(bucket)) {
          if (file.getName().startsWith("temp_local_")) {
            found.add(file);
          }
        }
      }
    }
    return found;
  }

  private static List<File> list(File directory) {
    File[] files = directory.listFiles();
    return files == null ? List.of() : List.of(files);
  }

  /**
   * Waits until no native byte and no spill file is left; what tasks shared goes a little after
   * their query.
   */
  void assertNothingLeft() {
    ExecutorMemory memory = ExecutorMemory.installed().orElseThrow();
    Awaitility.await("every native byte is given back")
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              assertThat(spillFiles()).isEmpty();
              MemorySnapshot snapshot = memory.snapshot();
              assertThat(snapshot.owners()).isEmpty();
              assertThat(snapshot.usedBytes()).isZero();
              assertThat(snapshot.leakedBytes()).isZero();
            });
  }

  @Override
  public void close() {
    spark.stop();
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
  }
}
