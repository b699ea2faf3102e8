package io.spillway.testing.internal;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.Success$;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.scheduler.StageInfo;
import scala.collection.JavaConverters;

/** What Spark tells of stages and tasks. Told on the bus's thread, asked on the test's. */
final class JobWatch extends SparkListener {
  private final List<String> failures = new ArrayList<>();
  private int nextStageId;
  private int running;

  @Override
  public synchronized void onJobStart(SparkListenerJobStart job) {
    // Stages that are skipped take an id too, and are in this list.
    for (StageInfo stage : JavaConverters.seqAsJavaList(job.stageInfos())) {
      nextStageId = Math.max(nextStageId, stage.stageId() + 1);
    }
  }

  @Override
  public synchronized void onTaskStart(SparkListenerTaskStart start) {
    running++;
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
    running--;
    if (end.reason() != Success$.MODULE$) {
      String reason =
          end.reason() instanceof TaskFailedReason failed
              ? failed.toErrorString()
              : end.reason().toString();
      failures.add(
          "task %d of stage %d, attempt %d: %s"
              .formatted(
                  end.taskInfo().partitionId(),
                  end.stageId(),
                  end.taskInfo().attemptNumber(),
                  reason.strip().lines().findFirst().orElse("")));
    }
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof BusMark mark) {
      mark.seen();
    }
  }

  /** The id that Spark gives to the next stage, once the bus has delivered everything. */
  synchronized int nextStageId() {
    return nextStageId;
  }

  /** Tasks that have started and not ended. */
  synchronized int running() {
    return running;
  }

  /** How attempts failed since this was asked last. */
  synchronized List<String> takeFailures() {
    List<String> taken = List.copyOf(failures);
    failures.clear();
    return taken;
  }
}
