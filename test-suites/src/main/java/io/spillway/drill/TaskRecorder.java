package io.spillway.drill;

import io.spillway.report.AttemptEnd;
import io.spillway.report.ExecutorLost;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.ExecutorLostFailure;
import org.apache.spark.Success$;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.TaskKilled;
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
public final class TaskRecorder extends SparkListener {
  private final List<AttemptEnd> attempts = new ArrayList<>();
  private final List<ExecutorLost> lost = new ArrayList<>();
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
        new AttemptEnd(
            "",
            end.stageId(),
            end.stageAttemptId(),
            end.taskInfo().partitionId(),
            end.taskInfo().attemptNumber(),
            end.taskInfo().executorId(),
            end.taskInfo().launchTime(),
            end.taskInfo().duration(),
            AttemptEnd.resultOf(succeeded, end.reason() instanceof TaskKilled),
            succeeded
                ? null
                : AttemptEnd.shortened(((TaskFailedReason) end.reason()).toErrorString()),
            end.reason() instanceof ExecutorLostFailure,
            0,
            List.of(),
            List.of()));
  }

  @Override
  public synchronized void onExecutorAdded(SparkListenerExecutorAdded added) {
    executors.add(added.executorId());
  }

  @Override
  public synchronized void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    // Spark removes every executor when it stops: those are not lost.
    if (!stopping) {
      lost.add(ExecutorLost.told(removed.executorId(), AttemptEnd.shortened(removed.reason())));
    }
  }

  /** From now on a removed executor is one that was told to go. */
  public synchronized void stopping() {
    stopping = true;
  }

  /** The id that Spark gives to the next stage, once the bus has delivered everything. */
  public synchronized int nextStageId() {
    return nextStageId;
  }

  public synchronized List<AttemptEnd> attempts() {
    return List.copyOf(attempts);
  }

  public synchronized List<ExecutorLost> lost() {
    return List.copyOf(lost);
  }

  /** Every executor that was added or ended a task. */
  public synchronized Set<String> executors() {
    return new TreeSet<>(executors);
  }
}
