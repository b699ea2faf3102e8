package io.spillway.memory;

import java.util.Locale;

/** The words of a refusal after the last rung. */
final class Denial {
  private Denial() {}

  static String message(TaskMemory task, OperatorMemory operator, long askedBytes) {
    ExecutorMemory executor = task.executor();
    MemorySettings settings = executor.settings();
    StringBuilder text = new StringBuilder(512);
    text.append(
        String.format(
            Locale.ROOT,
            "No native memory for %s: %d bytes asked for, %d used, %d reserved with Spark, after"
                + " giving back idle memory, spilling and waiting for other tasks.",
            operator.owner(),
            askedBytes,
            operator.usedBytes(),
            operator.reservedBytes()));
    text.append(
        String.format(
            Locale.ROOT,
            " Task %d uses %d bytes of %d granted by Spark:",
            task.taskAttemptId(),
            task.usedBytes(),
            task.sparkManager().getMemoryConsumptionForThisTask()));
    String separator = " ";
    for (OperatorMemory each : task.operators()) {
      text.append(separator)
          .append(each.name())
          .append(' ')
          .append(each.usedBytes())
          .append('/')
          .append(each.reservedBytes());
      separator = ", ";
    }
    String container = executor.guard().explain(askedBytes);
    text.append(
        String.format(
            Locale.ROOT,
            ". Executor: %d bytes used by %d open tasks, limit spark.memory.offHeap.size=%d for %d"
                + " task slots. %s",
            executor.ledger().usedBytes(),
            executor.openTasks(),
            settings.offHeapBytes(),
            settings.taskSlots(),
            container.isEmpty() ? remedy(settings, ", or lower spark.executor.cores") : container));
    return text.toString();
  }

  /** What gives native operators more memory, if the container is not what refuses it. */
  static String remedy(MemorySettings settings, String alternative) {
    // Raising the size of something that is off would do nothing.
    return settings.offHeapBytes() == 0
        ? "Spark's off-heap memory is off: set spark.memory.offHeap.enabled=true and"
            + " spark.memory.offHeap.size."
        : "Raise spark.memory.offHeap.size" + alternative + ".";
  }
}
