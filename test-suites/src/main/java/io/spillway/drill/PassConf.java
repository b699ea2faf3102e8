package io.spillway.drill;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.launcher.JavaModuleOptions;

/** The Spark settings of a pass. */
public final class PassConf {
  /**
   * For JVMs that live for a minute on few cores: most of what the optimising compiler and a
   * parallel collector would do in that time would not pay.
   */
  static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  private final MasterUrl master;
  private final Path localDirectory;
  private final long memoryBytes;

  /**
   * @param localDirectory where Spark keeps shuffle, cache and spill files
   * @param memoryBytes off-heap memory of an executor that has Spillway
   */
  public PassConf(MasterUrl master, Path localDirectory, long memoryBytes) {
    this.master = master;
    this.localDirectory = localDirectory;
    this.memoryBytes = memoryBytes;
  }

  /** Plain Spark, with its partitioning pinned so that every pass cuts the work alike. */
  public Map<String, String> plain(String name) {
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("spark.master", master.url());
    conf.put("spark.app.name", "spillway-drill " + name);
    conf.put("spark.ui.enabled", "false");
    conf.put("spark.local.dir", localDirectory.toString());
    conf.put("spark.sql.warehouse.dir", localDirectory.resolve("warehouse").toUri().toString());
    conf.put("spark.sql.session.timeZone", "UTC");
    conf.put("spark.task.maxFailures", Integer.toString(MasterUrl.TASK_ATTEMPTS));
    conf.put("spark.speculation", "false");
    conf.put("spark.locality.wait", "0");
    pinPartitioning(conf);
    if (!master.isLocal()) {
      executors(conf);
    }
    return conf;
  }

  /** Adds Spillway the way a user would, with memory far too small for the queries. */
  public void addSpillway(Map<String, String> conf, Path pluginJar) {
    conf.put("spark.jars", pluginJar.toUri().toString());
    conf.put("spark.plugins", "io.spillway.SpillwayPlugin");
    conf.put("spark.memory.offHeap.enabled", "true");
    conf.put("spark.memory.offHeap.size", Long.toString(memoryBytes));
  }

  /** Adds the agent to the executors' JVMs. A local master's JVM gets it on its command line. */
  public void addAgent(Map<String, String> conf, String agentOption) {
    if (!master.isLocal()) {
      conf.merge(
          "spark.executor.extraJavaOptions", quoted(agentOption), (all, one) -> all + " " + one);
    }
  }

  private static void pinPartitioning(Map<String, String> conf) {
    String partitions = Integer.toString(DrillQueries.PARTITIONS);
    conf.put("spark.default.parallelism", partitions);
    conf.put("spark.sql.shuffle.partitions", partitions);
    conf.put("spark.sql.files.minPartitionNum", partitions);
    conf.put("spark.sql.leafNodeDefaultParallelism", partitions);
    conf.put("spark.sql.adaptive.enabled", "true");
    conf.put("spark.sql.adaptive.coalescePartitions.enabled", "false");
    conf.put("spark.sql.adaptive.skewJoin.enabled", "false");
    // A broadcast runs as a job of its own beside the main one: which of them gets the lower stage
    // id would be a race, and the stage's ordinal is part of a fault's key.
    conf.put("spark.sql.autoBroadcastJoinThreshold", "-1");
    // Without a broadcast Spark would sort both sides of a join with five rows.
    conf.put("spark.sql.adaptive.maxShuffledHashJoinLocalMapThreshold", "64m");
  }

  private void executors(Map<String, String> conf) {
    conf.put("spark.executor.cores", "1");
    conf.put("spark.executor.memory", master.executorHeapMiB() + "m");
    conf.put("spark.executor.extraJavaOptions", "-Duser.timezone=UTC " + SHORT_LIVED);
    if (master.slots() > 0) {
      conf.put("spark.cores.max", Integer.toString(master.slots()));
      conf.put("spark.scheduler.minRegisteredResourcesRatio", "1.0");
      conf.put("spark.scheduler.maxRegisteredResourcesWaitingTime", "60s");
      conf.put("spark.driver.host", "127.0.0.1");
      conf.put("spark.driver.bindAddress", "127.0.0.1");
    }
  }

  /** The options that Spark on this Java needs in every JVM. */
  public static String[] moduleOptions() {
    return JavaModuleOptions.defaultModuleOptions().strip().split("\\s+", -1);
  }

  // Spark splits the options as a shell does.
  private static String quoted(String option) {
    return "\"" + option.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }
}
