package io.spillway.memory;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;

/** How many tasks run at once on one executor, as Spark derives it from its configuration. */
final class TaskSlots {
  private static final Pattern LOCAL = Pattern.compile("local\\[\\s*([0-9]+|\\*)\\s*(?:,.*)?\\]");
  private static final Pattern LOCAL_CLUSTER =
      Pattern.compile("local-cluster\\[\\s*[0-9]+\\s*,\\s*([0-9]+)\\s*,.*\\]");

  private TaskSlots() {}

  /** At least 1. */
  static int of(SparkConf conf) {
    int cpus = Math.max(1, conf.getInt("spark.task.cpus", 1));
    return Math.max(1, executorCores(conf) / cpus);
  }

  private static int executorCores(SparkConf conf) {
    String master = conf.get("spark.master", "local");
    Matcher local = LOCAL.matcher(master);
    if (local.matches()) {
      return local.group(1).equals("*")
          ? Runtime.getRuntime().availableProcessors()
          : Integer.parseInt(local.group(1));
    }
    Matcher cluster = LOCAL_CLUSTER.matcher(master);
    if (cluster.matches()) {
      return conf.getInt("spark.executor.cores", Integer.parseInt(cluster.group(1)));
    }
    // A standalone executor without the setting takes every core of its worker; elsewhere it is 1.
    int unset = master.startsWith("spark://") ? Runtime.getRuntime().availableProcessors() : 1;
    return conf.getInt("spark.executor.cores", unset);
  }
}
