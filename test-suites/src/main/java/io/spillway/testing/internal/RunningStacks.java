package io.spillway.testing.internal;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** Where a test and its tasks are. Any thread. */
final class RunningStacks {
  private static final int FRAMES = 10;
  private static final String TASK = "org.apache.spark.executor.Executor$TaskRunner";

  private RunningStacks() {}

  /** The innermost calls of a test's thread and of each thread that runs a task, for messages. */
  static String of(Thread test) {
    Map<Thread, StackTraceElement[]> all = Thread.getAllStackTraces();
    StringBuilder text = new StringBuilder(lines(test, all.get(test)));
    all.forEach(
        (thread, frames) -> {
          if (thread != test && runsTask(frames)) {
            text.append('\n').append(lines(thread, frames));
          }
        });
    return text.toString();
  }

  /** Interrupts every thread that runs a task: Spark itself only asks them to end. */
  static void interruptTasks() {
    Thread.getAllStackTraces()
        .forEach(
            (thread, frames) -> {
              if (runsTask(frames)) {
                thread.interrupt();
              }
            });
  }

  private static boolean runsTask(StackTraceElement[] frames) {
    return Arrays.stream(frames).anyMatch(frame -> frame.getClassName().equals(TASK));
  }

  private static String lines(Thread thread, StackTraceElement[] frames) {
    return frames == null
        ? "  " + thread.getName()
        : Arrays.stream(frames)
            .limit(FRAMES)
            .map(frame -> "    at " + frame)
            .collect(Collectors.joining("\n", "  " + thread.getName() + "\n", ""));
  }
}
