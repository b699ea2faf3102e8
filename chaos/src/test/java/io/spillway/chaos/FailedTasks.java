package io.spillway.chaos;

import java.util.Queue;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Keeps why task attempts failed, as Spark tells it. */
final class FailedTasks extends SparkListener {
  private final Queue<String> reasons;

  /**
   * @param reasons where they go, on Spark's listener thread
   */
  FailedTasks(Queue<String> reasons) {
    this.reasons = reasons;
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd end) {
    if (end.reason() instanceof TaskFailedReason reason) {
      reasons.add(reason.toErrorString());
    }
  }
}
