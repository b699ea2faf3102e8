package io.spillway.resilience.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.Success$;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.TaskKilled;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/**
 * Writes down what becomes of tasks, stages and executors. Called on the listener bus's thread,
 * read on the driver's.
 */
public final class ClusterWatch extends SparkListener {
  private final List<String> killed = new ArrayList<>();
  private final List<String> failed = new ArrayList<>();
  private final List<ProcessOutcome.Lost> lost = new ArrayList<>();
  private final Set<String> living = new TreeSet<>();
  private int stageRetries;
  private int speculativeWins;
  private String label = "";
  private boolean stopping;

  @Override
  public synchronized void onJobStart(SparkListenerJobStart started) {
    label = started.properties().getProperty(ProcessRuns.LABEL, "");
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
    if (end.reason() == Success$.MODULE$) {
      speculativeWins += end.taskInfo().speculative() ? 1 : 0;
    } else if (end.reason() instanceof TaskKilled kill) {
      killed.add(kill.reason());
    } else {
      failed.add(((TaskFailedReason) end.reason()).toErrorString());
    }
  }

  @Override
  public synchronized void onStageSubmitted(SparkListenerStageSubmitted submitted) {
    stageRetries += submitted.stageInfo().attemptNumber() > 0 ? 1 : 0;
  }

  @Override
  public synchronized void onExecutorAdded(SparkListenerExecutorAdded added) {
    living.add(added.executorId());
  }

  @Override
  public synchronized void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    living.remove(removed.executorId());
    // Spark removes every executor when it stops: those are not lost.
    if (!stopping) {
      lost.add(new ProcessOutcome.Lost(removed.executorId(), removed.reason(), label));
    }
  }

  /** An executor that was there before this listener. */
  synchronized void found(String executor) {
    living.add(executor);
  }

  /** From now on a removed executor is one that was told to go. */
  synchronized void stopping() {
    stopping = true;
  }

  /** Executors that were added and not removed. */
  synchronized Set<String> living() {
    return new TreeSet<>(living);
  }

  synchronized List<ProcessOutcome.Lost> lost() {
    return List.copyOf(lost);
  }

  synchronized ProcessOutcome.Tasks tasks() {
    return new ProcessOutcome.Tasks(
        List.copyOf(killed), List.copyOf(failed), stageRetries, speculativeWins);
  }
}
