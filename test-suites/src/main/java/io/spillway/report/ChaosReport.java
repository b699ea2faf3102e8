package io.spillway.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;

/**
 * Everything that the agents of one run found out. The JSON report has exactly these fields;
 * docs/chaos-report.md says what they mean to a reader.
 *
 * @param formatVersion raised when a field changes its meaning
 * @param source the directory that was read
 * @param seeds of the plans; more than one when the JVMs had different plans
 * @param fired how many faults fired
 * @param firedDigest equal for two runs whose faults fired at the same keys, in whatever order
 * @param points those that the plan names, in the catalogue's order
 * @param rules those of the plan
 * @param keysNotReached calls that a plan with keys names, as a replay does, and that did not fire
 * @param leakedBytes memory left behind by attempts that had succeeded
 * @param reclaimedBytes memory that failed attempts still held, taken back by Spark or Spillway
 * @param leaks who left it
 * @param spillFilesLeft temporary files that lay there while no task ran
 * @param executorsLost those that did not live to the end
 * @param jvms every JVM that had the agent
 * @param faults every fault, by time
 * @param against what differs from another run; null if none was given
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ChaosReport(
    int formatVersion,
    String source,
    List<Long> seeds,
    int fired,
    String firedDigest,
    List<PointSummary> points,
    List<Rule> rules,
    List<String> keysNotReached,
    long leakedBytes,
    long reclaimedBytes,
    List<Leak> leaks,
    int spillFilesLeft,
    List<ExecutorLost> executorsLost,
    List<Jvm> jvms,
    List<JudgedFault> faults,
    Difference against) {
  /** The present meaning of the fields. */
  public static final int FORMAT_VERSION = 1;

  /**
   * A rule of the plan.
   *
   * @param limited calls that it picked and its limits let pass
   */
  public record Rule(int rule, String point, String fault, long fired, long limited) {}

  /**
   * Memory that an attempt left behind although it had succeeded.
   *
   * @param task which attempt; empty where only the executor is known
   * @param book whose figures tell it: {@code Spark} or {@code Spillway}
   */
  public record Leak(String executor, String task, String book, long bytes, List<String> owners) {}

  /**
   * A JVM with the agent in it.
   *
   * @param started when it was armed, ISO 8601; null if its agent wrote no totals
   * @param ended when it ended in order; null if it was killed, or still runs
   * @param disarmed why its agent let nothing fire any more; null if it did not come to that
   * @param faultsMissing that it counted and that are not on record: files were taken away or
   *     damaged
   * @param memory before, during and after its faults
   */
  public record Jvm(
      long pid,
      String executor,
      String started,
      String ended,
      String disarmed,
      long faultsMissing,
      long attempts,
      long failedAttempts,
      int spillFilesLeft,
      List<String> spillFiles,
      List<MemoryStory> memory) {}

  /**
   * What two runs did not have in common.
   *
   * @param source the other run's directory
   * @param onlyHere keys that fired in this run only
   * @param onlyThere keys that fired in the other run only
   */
  public record Difference(
      String source, String firedDigest, List<String> onlyHere, List<String> onlyThere) {}

  /** How many faults came out so. */
  public long count(Outcome outcome) {
    return faults.stream().filter(fault -> fault.outcome() == outcome).count();
  }

  /** Time that the faults cost, as far as it was measured, in milliseconds. */
  @JsonIgnore
  public double totalCostMillis() {
    return points.stream().mapToDouble(PointSummary::costMillis).sum();
  }
}
