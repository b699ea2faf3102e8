package io.spillway.plugin;

import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.SparkSession;

/** Spark in this JVM, one after the other. */
final class LocalApplication {
  private LocalApplication() {}

  /** Starts one. The caller stops it. */
  static SparkSession start(String master, Map<String, String> settings) {
    Map<String, String> all = new TreeMap<>(settings);
    all.put("spark.ui.enabled", "false");
    all.put("spark.driver.host", "localhost");
    all.put("spark.driver.bindAddress", "127.0.0.1");
    all.put("spark.sql.shuffle.partitions", "2");
    SparkSession.Builder builder =
        SparkSession.builder().master(master).appName("spillway-plugin-test");
    all.forEach(builder::config);
    return builder.getOrCreate();
  }

  static void stop(SparkSession spark) {
    spark.stop();
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
  }
}
