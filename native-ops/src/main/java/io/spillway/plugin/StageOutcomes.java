package io.spillway.plugin;

import io.spillway.memory.OperatorFailure;
import io.spillway.plan.KindGate;
import io.spillway.plan.OperatorSwitch;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import org.apache.spark.ExecutorLostFailure;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;
import org.apache.spark.storage.RDDInfo;
import scala.collection.JavaConverters;

/**
 * Tells the breakers how stages with native operators ended. A stage that ended well is a success
 * of every kind in it, whatever single attempts did. One that was given up because a task kept
 * failing is a failure of the kinds that executors named; where they named what only changes the
 * form of rows, of all. An executor whose native code crashed is one at once. What was cancelled,
 * and what failed elsewhere, is neither.
 *
 * <p>Heard on the listener bus and, for failures, on the thread that takes executors' messages.
 * Those arrive before Spark ends the stage: both go the same way, and the bus is one hop longer.
 */
final class StageOutcomes extends SparkListener {
  /** By this a stage names the operators in it. */
  private static final String NATIVE = "Spillway";

  /** How Spark says that a task has failed as often as it may. */
  private static final String GIVEN_UP = "most recent failure";

  /** Failures are kept until the stage has ended; of stages that ended before, so many. */
  private static final int MOST_KEPT = 1000;

  private record Attempt(int stage, int number) {
    static Attempt of(StageInfo info) {
      return new Attempt(info.stageId(), info.attemptNumber());
    }
  }

  /**
   * A stage under way.
   *
   * @param crashed executors whose crash was counted
   */
  private record Running(Set<OperatorSwitch> kinds, OptionalLong query, Set<String> crashed) {}

  private final KindBreakers breakers;
  private final Map<Attempt, Running> running = new HashMap<>();
  private final Map<Attempt, List<OperatorFailure>> failures =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Attempt, List<OperatorFailure>> eldest) {
          return size() > MOST_KEPT;
        }
      };

  StageOutcomes(KindBreakers breakers) {
    this.breakers = breakers;
  }

  /** An executor tells in which operator an attempt failed. */
  synchronized void failed(OperatorFailure failure) {
    failures
        .computeIfAbsent(
            new Attempt(failure.stageId(), failure.stageAttempt()), stage -> new ArrayList<>())
        .add(failure);
  }

  @Override
  public synchronized void onStageSubmitted(SparkListenerStageSubmitted submitted) {
    Set<OperatorSwitch> kinds = kinds(submitted.stageInfo());
    if (!kinds.isEmpty()) {
      running.put(
          Attempt.of(submitted.stageInfo()),
          new Running(kinds, query(submitted.properties()), new HashSet<>()));
    }
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
    Running stage = running.get(new Attempt(end.stageId(), end.stageAttemptId()));
    if (stage != null
        && end.reason() instanceof ExecutorLostFailure lost
        && lost.reason().isDefined()
        && ExitCode.isCrash(lost.reason().get())
        && stage.crashed().add(lost.execId())) {
      String reason = "executor " + lost.execId() + " crashed: " + lost.reason().get();
      stage.kinds().forEach(kind -> breakers.failed(kind, stage.query(), reason));
    }
  }

  @Override
  public synchronized void onStageCompleted(SparkListenerStageCompleted completed) {
    Attempt attempt = Attempt.of(completed.stageInfo());
    List<OperatorFailure> told = failures.remove(attempt);
    Running stage = running.remove(attempt);
    if (stage == null) {
      return;
    }
    scala.Option<String> failed = completed.stageInfo().failureReason();
    if (failed.isEmpty()) {
      stage.kinds().forEach(kind -> breakers.succeeded(kind, stage.query()));
    } else if (told != null && failed.get().contains(GIVEN_UP)) {
      blamed(stage, told).forEach((kind, reason) -> breakers.failed(kind, stage.query(), reason));
    }
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerSQLExecutionEnd end) {
      breakers.ended(end.executionId());
    }
  }

  private static Map<OperatorSwitch, String> blamed(Running stage, List<OperatorFailure> told) {
    Map<OperatorSwitch, String> reasons = new HashMap<>();
    for (OperatorFailure failure : told) {
      String reason = failure.operator() + ": " + failure.reason();
      OperatorSwitch.of(failure.operator())
          .ifPresentOrElse(
              kind -> reasons.put(kind, reason),
              () -> stage.kinds().forEach(kind -> reasons.putIfAbsent(kind, reason)));
    }
    return reasons;
  }

  private static Set<OperatorSwitch> kinds(StageInfo info) {
    Set<OperatorSwitch> kinds = EnumSet.noneOf(OperatorSwitch.class);
    for (RDDInfo rdd : JavaConverters.seqAsJavaList(info.rddInfos())) {
      if (rdd.scope().isDefined() && rdd.scope().get().name().startsWith(NATIVE)) {
        OperatorSwitch.of(rdd.scope().get().name()).ifPresent(kinds::add);
      }
    }
    return kinds;
  }

  private static OptionalLong query(Properties properties) {
    return KindGate.query(
        properties == null ? null : properties.getProperty(SQLExecution.EXECUTION_ID_KEY()));
  }
}
