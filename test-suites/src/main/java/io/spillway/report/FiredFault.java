package io.spillway.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * One fault that fired, as the agent wrote it down.
 *
 * @param stage ordinal of the stage in the query, from 0; -1 outside a task
 * @param stageId Spark's id of that stage
 * @param call index of the call at this point within the attempt, from 1
 * @param rule number of the plan's rule, from 1
 * @param time when it fired, ISO 8601
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record FiredFault(
    long seed,
    String label,
    int stage,
    int stageId,
    int stageAttempt,
    int partition,
    int attempt,
    String point,
    long call,
    int rule,
    String fault,
    String operator,
    String executor,
    String thread,
    String time) {
  private static final int DIGEST_CHARACTERS = 16;

  /** What is absent is empty, but for what makes the key. */
  public FiredFault {
    Objects.requireNonNull(label, "label");
    Objects.requireNonNull(point, "point");
    Objects.requireNonNull(fault, "fault");
    operator = operator == null ? "" : operator;
    executor = executor == null ? "" : executor;
    thread = thread == null ? "" : thread;
    time = time == null ? "" : time;
  }

  /** What decides this fault together with the seed: the same in every run that reaches it. */
  public String key() {
    return key(label, stage, stageAttempt, partition, attempt, point, call, fault);
  }

  /** The same text for a call that a plan names. */
  static String key(
      String label,
      int stage,
      int stageAttempt,
      int partition,
      int attempt,
      String point,
      long call,
      String fault) {
    return String.join(
        " ",
        label,
        "stage=" + stage + (stageAttempt == 0 ? "" : " stageAttempt=" + stageAttempt),
        "partition=" + partition,
        "attempt=" + attempt,
        point,
        "call=" + call,
        fault);
  }

  /**
   * When it fired, since the epoch.
   *
   * @throws RecordException if the record says that in no way that the agent does
   */
  long timeMillis() {
    try {
      return Instant.parse(time).toEpochMilli();
    } catch (DateTimeParseException e) {
      throw new RecordException("the fault '" + key() + "' has the time '" + time + "'", e);
    }
  }

  @JsonIgnore
  boolean isOutsideTask() {
    return partition < 0;
  }

  @JsonIgnore
  AttemptEnd.Task task() {
    return new AttemptEnd.Task(stageId, partition);
  }

  /** A short digest of the fired set: equal for two runs that fired at the same keys. */
  public static String digest(Collection<FiredFault> fired) {
    String keys =
        fired.stream().map(FiredFault::key).distinct().sorted().collect(Collectors.joining("\n"));
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(keys.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, DIGEST_CHARACTERS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
