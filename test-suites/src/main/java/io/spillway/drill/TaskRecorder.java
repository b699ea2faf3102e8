package io.spillway.drill;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.Success$;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.StageInfo;
import scala.collection.JavaConverters;

/**
 * Writes down what Spark tells of tasks, stages and executors. Called on the listener bus's thread,
 * read on the driver's.
 */
final class TaskRecorder extends SparkListener {
  private static final int LONGEST_REASON = 400;

  private final List<PassOutcome.TaskAttempt> attempts = new ArrayList<>();
  private final List<PassOutcome.LostExecutor> lost = new ArrayList<>();
  private final Set<String> executors = new TreeSet<>();
  private int nextStageId;
  private boolean stopping;

  @Override
  public synchronized void onJobStart(SparkListenerJobStart job) {
    // Stages that are skipped take an id too, and are in this list.
    for (StageInfo stage : JavaConverters.seqAsJavaList(job.stageInfos())) {
      nextStageId = Math.max(nextStageId, stage.stageId() + 1);
    }
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
    boolean succeeded = end.reason() == Success$.MODULE$;
    executors.add(end.taskInfo().executorId());
    attempts.add(
        new PassOutcome.TaskAttempt(
            end.stageId(),
            end.taskInfo().partitionId(),
            end.taskInfo().attemptNumber(),
            end.taskInfo().executorId(),
            succeeded,
            succeeded ? "success" : reason((TaskFailedReason) end.reason())));
  }

  @Override
  public synchronized void onExecutorAdded(SparkListenerExecutorAdded added) {
    executors.add(added.executorId());
  }

  @Override
  public synchronized void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    // Spark removes every executor when it stops: those are not lost.
    if (!stopping) {
      lost.add(new PassOutcome.LostExecutor(removed.executorId(), firstLine(removed.reason())));
    }
  }

  /** From now on a removed executor is one that was told to go. */
  synchronized void stopping() {
    stopping = true;
  }

  /** The id that Spark gives to the next stage, once the bus has delivered everything. */
  synchronized int nextStageId() {
    return nextStageId;
  }

  synchronized List<PassOutcome.TaskAttempt> attempts() {
    return List.copyOf(attempts);
  }

  synchronized List<PassOutcome.LostExecutor> lost() {
    return List.copyOf(lost);
  }

  /** Every executor that was added or ended a task. */
  synchronized Set<String> executors() {
    return new TreeSet<>(executors);
  }

  private static String reason(TaskFailedReason reason) {
    return firstLine(reason.toErrorString());
  }

  private static String firstLine(String text) {
    String line = text.strip().lines().findFirst().orElse("");
    return line.length() > LONGEST_REASON ? line.substring(0, LONGEST_REASON) + "…" : line;
  }
}
