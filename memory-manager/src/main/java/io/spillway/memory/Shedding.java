package io.spillway.memory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Divides what the container guard asks for among the tasks of an executor, by what each could
 * spill. A request is a note that the task finds at its next batch boundary, or on the ladder.
 */
final class Shedding {
  private final Collection<TaskMemory> tasks;

  /**
   * A task and what it could spill.
   *
   * @param task open
   * @param bytes beyond its operators' minimum
   */
  private record Share(TaskMemory task, long bytes) {}

  /**
   * Over the tasks of one executor.
   *
   * @param tasks a live view of those that are open
   */
  Shedding(Collection<TaskMemory> tasks) {
    this.tasks = tasks;
  }

  /**
   * Asks all tasks together for so many bytes; the request replaces the one before. From any
   * thread.
   *
   * @param bytes to be spilled; 0 takes the request back
   */
  void request(long bytes) {
    List<Share> shares = new ArrayList<>();
    for (TaskMemory task : tasks) {
      shares.add(new Share(task, task.spilling().sheddableBytes()));
    }
    long sheddableBytes = shares.stream().mapToLong(Share::bytes).sum();
    double part = sheddableBytes == 0 ? 0 : Math.min(1, (double) bytes / sheddableBytes);
    for (Share share : shares) {
      share.task().spilling().requestShedding((long) Math.ceil(share.bytes() * part));
    }
  }
}
