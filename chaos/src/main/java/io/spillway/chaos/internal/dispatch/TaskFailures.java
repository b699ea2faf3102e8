package io.spillway.chaos.internal.dispatch;

/** What a failure means to Spark, told by the names of its classes. Stateless; any thread. */
final class TaskFailures {
  private static final String KILLED = "org.apache.spark.TaskKilledException";
  private static final String SPARK_OUT_OF_MEMORY = "org.apache.spark.memory.SparkOutOfMemoryError";

  /** As deep as {@code spark.executor.killOnFatalError.depth} goes by default. */
  private static final int DEPTH = 5;

  private TaskFailures() {}

  /**
   * How an attempt ended.
   *
   * @param failure null if it succeeded
   */
  static String result(Throwable failure) {
    if (failure == null) {
      return "succeeded";
    }
    return failure.getClass().getName().equals(KILLED) ? "killed" : "failed";
  }

  /** Whether Spark ends the executor's JVM for this failure of a task. */
  static boolean endsExecutor(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; depth < DEPTH && cause != null; depth++) {
      if (cause.getClass().getName().equals(SPARK_OUT_OF_MEMORY)) {
        return false;
      }
      if (cause instanceof VirtualMachineError) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }
}
