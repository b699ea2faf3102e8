package io.spillway.memory;

import java.util.stream.Collectors;

/** Fails a task that left native memory live, if the settings ask for that. It has been freed. */
public final class NativeLeakException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient TaskReport report;

  NativeLeakException(TaskReport report) {
    super(
        "Task "
            + report.taskAttemptId()
            + " succeeded but left "
            + report.leakedBytes()
            + " bytes of native memory live, which were freed: "
            + report.owners().stream().map(BlockOwner::describe).collect(Collectors.joining("; "))
            + ". "
            + place(report)
            + "; "
            + MemorySettings.ON_LEAK
            + "=log lets the task pass.");
    this.report = report;
  }

  private static String place(TaskReport report) {
    return report.owners().stream().anyMatch(owner -> owner.site() != null)
        ? "The executor's log names the place"
        : MemorySettings.ALLOCATION_SITES + "=true names the place";
  }

  /** What the scope found; null after the way over the wire. */
  public TaskReport report() {
    return report;
  }
}
