package io.spillway.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;

/**
 * How one attempt of a task ended, as its agent, Spark's listener or an event log told.
 *
 * @param label the query's label; empty where it is not known
 * @param stageId Spark's id of the stage
 * @param stageAttempt attempt number of the stage
 * @param executor Spark's id of the executor; empty where it is not known
 * @param startedMillis since the epoch
 * @param result {@code succeeded}, {@code failed} or {@code killed}
 * @param failure what failed it, one line; null if it succeeded
 * @param fatal whether the executor ended with it
 * @param leftBytes execution memory that Spark's clean-up found charged to it
 * @param owners of that memory
 * @param faults those that fired in it, where the agent told
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record AttemptEnd(
    String label,
    int stageId,
    int stageAttempt,
    int partition,
    int attempt,
    String executor,
    long startedMillis,
    long millis,
    String result,
    String failure,
    boolean fatal,
    long leftBytes,
    List<String> owners,
    List<Recovery> faults) {
  private static final String SUCCEEDED = "succeeded";
  private static final int LONGEST_REASON = 400;

  /** What is absent is empty. */
  public AttemptEnd {
    label = label == null ? "" : label;
    executor = executor == null ? "" : executor;
    owners = owners == null ? List.of() : List.copyOf(owners);
    faults = faults == null ? List.of() : List.copyOf(faults);
  }

  /**
   * A fault within the attempt.
   *
   * @param recoveryMicros until its point let a call pass again, else until the attempt's end
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Recovery(String point, long call, long recoveryMicros) {}

  /** A task, whatever its attempt. */
  record Task(int stageId, int partition) {}

  @JsonIgnore
  Task task() {
    return new Task(stageId, partition);
  }

  @JsonIgnore
  public boolean succeeded() {
    return SUCCEEDED.equals(result);
  }

  boolean isAttempt(int ofStage, int number) {
    return stageAttempt == ofStage && attempt == number;
  }

  /** The word for an attempt that did not succeed. */
  public static String resultOf(boolean succeeded, boolean killed) {
    return succeeded ? SUCCEEDED : killed ? "killed" : "failed";
  }

  /** The first line of a failure's text, cut where it is too long for a report. */
  public static String shortened(String text) {
    String line = text.strip().lines().findFirst().orElse("");
    return line.length() > LONGEST_REASON ? line.substring(0, LONGEST_REASON) + "…" : line;
  }

  /** This end with Spark's word on how it came out, and the agent's on everything else. */
  AttemptEnd judgedBy(AttemptEnd spark) {
    return new AttemptEnd(
        label,
        stageId,
        stageAttempt,
        partition,
        attempt,
        executor.isEmpty() ? spark.executor : executor,
        startedMillis,
        millis,
        spark.result,
        spark.succeeded() ? null : failure != null ? failure : spark.failure,
        fatal || spark.fatal,
        leftBytes,
        owners,
        faults);
  }
}
