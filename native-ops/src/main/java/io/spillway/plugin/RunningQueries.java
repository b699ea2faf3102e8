package io.spillway.plugin;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;

/**
 * Knows which SQL queries of the application have ended, so that executors can give back what only
 * those shared. Thread-safe; hears of queries a little after they start and end.
 */
final class RunningQueries extends SparkListener {
  private final Set<Long> running = new HashSet<>();
  private long newest = -1;

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerSQLExecutionStart start) {
      started(start.executionId());
    } else if (event instanceof SparkListenerSQLExecutionEnd end) {
      ended(end.executionId());
    }
  }

  synchronized void started(long id) {
    running.add(id);
    newest = Math.max(newest, id);
  }

  synchronized void ended(long id) {
    running.remove(id);
  }

  /**
   * Those of some queries that have ended. One that was not heard of yet has not.
   *
   * @param ids as Spark writes them in a task's properties
   * @return of the JDK's types, to be sent
   */
  synchronized List<String> endedOf(List<String> ids) {
    List<String> ended = new ArrayList<>();
    for (String id : ids) {
      long number = Long.parseLong(id);
      if (number <= newest && !running.contains(number)) {
        ended.add(id);
      }
    }
    return ended;
  }
}
