package io.spillway.testing.internal;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Threads that run, but for the pools that Spark, its libraries and the test's own tools keep.
 * Helpers of a task (pipes, read-ahead, scripts) and Spillway's own are among them.
 */
final class ThreadLeftovers implements Leftovers {
  private static final List<String> POOLS =
      List.of(
          // Spark
          "Executor task launch worker",
          "task-result-getter",
          "broadcast-exchange",
          "shuffle-",
          "rpc-",
          "netty-",
          "map-output-dispatcher",
          "dispatcher-",
          "block-manager-",
          "dag-scheduler",
          "QueryStageCreator",
          "subquery-",
          "spark-listener-group",
          "SparkListenerBus",
          "Spark Context Cleaner",
          "context-cleaner",
          "driver-",
          "executor-",
          "heartbeat",
          "element-tracking-store",
          "files-client",
          "task-scheduler",
          "kill-executor",
          "Task reaper",
          "RemoteBlock",
          "appclient-",
          "ThreadPoolExecutorReadTask",
          // its libraries and the JVM
          "org.apache.hadoop",
          "ForkJoinPool",
          "globalEventExecutor",
          "process reaper",
          "Common-Cleaner",
          "Cleaner-",
          "Attach Listener",
          "Keep-Alive-",
          "HikariPool",
          // those who look on
          "surefire-",
          "junit-",
          "awaitility",
          "spillway-chaos-",
          "spillway-testing-");

  private final List<String> allowed;

  /**
   * @param allowed beginnings of the names of other threads that may run
   */
  ThreadLeftovers(List<String> allowed) {
    this.allowed = allowed;
  }

  @Override
  public Set<String> now() {
    Set<String> left = new TreeSet<>();
    for (Thread thread : running()) {
      String name = thread.getName();
      if (Stream.concat(POOLS.stream(), allowed.stream()).noneMatch(name::startsWith)) {
        left.add("the thread " + name + " (" + thread.getId() + ")");
      }
    }
    return left;
  }

  /** Without their stack traces, for which every thread would have to stop. */
  private static List<Thread> running() {
    ThreadGroup top = Thread.currentThread().getThreadGroup();
    while (top.getParent() != null) {
      top = top.getParent();
    }
    Thread[] found = new Thread[0];
    int count = 0;
    while (count == found.length) {
      found = new Thread[2 * found.length + 256];
      count = top.enumerate(found);
    }
    return Arrays.asList(found).subList(0, count);
  }
}
