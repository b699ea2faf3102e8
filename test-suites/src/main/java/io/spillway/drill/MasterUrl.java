package io.spillway.drill;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Spark master that a drill runs on.
 *
 * @param url the URL given to Spark
 * @param kind what starts the executors
 * @param executorHeapMiB heap of one executor in MiB
 * @param slots tasks that run at once when all executors are there; 0 when the cluster decides
 */
public record MasterUrl(String url, Kind kind, int executorHeapMiB, int slots) {

  /** Where executors come from. */
  public enum Kind {
    /** The driver's own JVM runs the tasks. */
    LOCAL,
    /** Spark starts a master, workers and executors on this machine. */
    LOCAL_CLUSTER,
    /** A cluster that was there before. */
    REMOTE
  }

  /** Attempts of a task, also for local masters, which otherwise never retry. */
  public static final int TASK_ATTEMPTS = 4;

  private static final int DEFAULT_HEAP_MIB = 1024;
  // Spark refuses an executor heap below 450 MiB (1.5 times its reserved 300 MiB).
  private static final int LEAST_HEAP_MIB = 512;
  private static final Pattern LOCAL =
      Pattern.compile("local(?:\\[(\\d+|\\*)(?:\\s*,\\s*(\\d+))?])?");
  private static final Pattern LOCAL_CLUSTER =
      Pattern.compile("local-cluster\\[\\s*(\\d{1,4})\\s*,\\s*(\\d{1,4})\\s*,\\s*(\\d{1,7})\\s*]");
  private static final Pattern REMOTE =
      Pattern.compile("yarn|spark://[^\\s/]+:\\d+(?:,[^\\s/]+:\\d+)*|k8s://\\S+");

  /**
   * Reads a master URL. A local master without a number of attempts gets {@value #TASK_ATTEMPTS}.
   *
   * @throws UsageException with one sentence when no drill can run on it
   */
  public static MasterUrl parse(String text) {
    Matcher local = LOCAL.matcher(text);
    if (local.matches()) {
      return local(text, local.group(1), local.group(2));
    }
    Matcher cluster = LOCAL_CLUSTER.matcher(text);
    if (cluster.matches()) {
      return localCluster(
          text,
          Integer.parseInt(cluster.group(1)),
          Integer.parseInt(cluster.group(2)),
          Integer.parseInt(cluster.group(3)));
    }
    if (REMOTE.matcher(text).matches()) {
      return new MasterUrl(text, Kind.REMOTE, DEFAULT_HEAP_MIB, 0);
    }
    throw new UsageException(
        "--master: '"
            + text
            + "' is not a Spark master; give local[N,ATTEMPTS],"
            + " local-cluster[EXECUTORS,CORES,MIB], spark://HOST:PORT, yarn or k8s://URL");
  }

  private static MasterUrl local(String text, String threads, String attempts) {
    String count = threads == null ? "1" : threads;
    if ("0".equals(count) || count.length() > 4) {
      throw new UsageException("--master: '" + text + "' needs 1 to 9999 threads");
    }
    if (attempts == null) {
      return local(count, Integer.toString(TASK_ATTEMPTS));
    }
    if (attempts.length() > 3 || Integer.parseInt(attempts) < 2) {
      throw new UsageException(
          "--master: '"
              + text
              + "' must allow 2 to 999 attempts, since the drill fails tasks on purpose");
    }
    return local(count, attempts);
  }

  private static MasterUrl local(String threads, String attempts) {
    int slots = "*".equals(threads) ? 0 : Integer.parseInt(threads);
    return new MasterUrl(
        "local[" + threads + "," + attempts + "]", Kind.LOCAL, 2 * DEFAULT_HEAP_MIB, slots);
  }

  private static MasterUrl localCluster(String text, int executors, int cores, int workerMiB) {
    if (executors < 1 || cores < 1) {
      throw new UsageException("--master: '" + text + "' needs at least one executor and one core");
    }
    int heapMiB = workerMiB / cores;
    if (heapMiB < LEAST_HEAP_MIB) {
      throw new UsageException(
          "--master: '"
              + text
              + "' leaves "
              + heapMiB
              + " MiB for an executor of one core, which needs at least "
              + LEAST_HEAP_MIB);
    }
    return new MasterUrl(
        "local-cluster[" + executors + "," + cores + "," + workerMiB + "]",
        Kind.LOCAL_CLUSTER,
        heapMiB,
        executors * cores);
  }

  /** Whether an executor may run two tasks at once, so that they compete for its memory. */
  public boolean sharesExecutor() {
    return kind == Kind.LOCAL && slots != 1;
  }

  public boolean isLocal() {
    return kind == Kind.LOCAL;
  }
}
