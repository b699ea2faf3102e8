package io.spillway.chaos.internal.dispatch;

import io.spillway.chaos.internal.report.JsonObject;
import io.spillway.chaos.internal.report.LineFile;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Writes down how task attempts ended: those that got a fault, failed, came after another attempt,
 * or left memory behind. The others are only counted, so the file stays as small as the trouble.
 * Any thread.
 */
final class TaskJournal {
  private static final int LONGEST_FAILURE = 400;

  private final LineFile file;
  private final LongAdder ended = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder leakedBytes = new LongAdder();
  private final AtomicBoolean complained = new AtomicBoolean();

  TaskJournal(LineFile file) {
    this.file = file;
  }

  /**
   * An attempt is over.
   *
   * @param executor Spark's executor id; may be null
   * @param left what Spark's clean-up found still charged to it
   */
  void ended(Attempt attempt, String executor, MemoryLeft left) {
    AttemptTrace trace = attempt.trace();
    Throwable failure = trace.failure();
    ended.increment();
    if (failure != null) {
      failed.increment();
    } else {
      leakedBytes.add(left.bytes());
    }
    TaskKey key = attempt.key();
    if (failure == null
        && trace.faults().isEmpty()
        && key.attempt() == 0
        && key.stageAttempt() == 0
        && left.bytes() == 0) {
      return;
    }
    write(line(attempt, executor, left, failure));
  }

  private static JsonObject line(
      Attempt attempt, String executor, MemoryLeft left, Throwable failure) {
    TaskKey key = attempt.key();
    AttemptTrace trace = attempt.trace();
    JsonObject line =
        new JsonObject()
            .put("label", key.label())
            .put("stage", key.stageOrdinal())
            .put("partition", key.partition())
            .put("attempt", key.attempt())
            .put("stageId", key.stageId())
            .put("stageAttempt", key.stageAttempt())
            .put("taskAttemptId", key.taskAttemptId())
            .put("executor", executor)
            .put("startedMillis", trace.started().toEpochMilli())
            .put("millis", TimeUnit.NANOSECONDS.toMillis(trace.elapsedNanos()))
            .put("result", TaskFailures.result(failure));
    if (failure != null) {
      line.put("failure", firstLine(failure.toString()))
          .put("fatal", TaskFailures.endsExecutor(failure));
    }
    if (left.bytes() > 0) {
      line.put("leftBytes", left.bytes()).putTexts("owners", left.owners());
    }
    List<JsonObject> faults =
        trace.faults().stream()
            .map(
                fault ->
                    new JsonObject()
                        .put("point", fault.point().id())
                        .put("call", fault.call())
                        .put("rule", fault.rule())
                        .put("recoveryMicros", fault.recoveryNanos() / 1000))
            .toList();
    return faults.isEmpty() ? line : line.putInline("faults", faults);
  }

  private void write(JsonObject line) {
    try {
      file.append(line.toString());
    } catch (IOException e) {
      // What fired is on record; what came of it is not worth a job's failure.
      if (complained.compareAndSet(false, true)) {
        Console.say("how attempts end cannot be written to " + file.path() + ": " + e);
      }
    }
  }

  /** Attempts that have ended. */
  long endedAttempts() {
    return ended.sum();
  }

  /** Those of them that failed or were killed. */
  long failedAttempts() {
    return failed.sum();
  }

  /** Bytes that Spark's clean-up found charged to attempts that had succeeded. */
  long leakedBytes() {
    return leakedBytes.sum();
  }

  private static String firstLine(String text) {
    String line = text.strip().lines().findFirst().orElse("");
    return line.length() > LONGEST_FAILURE ? line.substring(0, LONGEST_FAILURE) + "…" : line;
  }

  /**
   * Memory that was still charged to an attempt when Spark cleaned up after it.
   *
   * @param bytes of execution memory, on and off the heap
   * @param owners Spark's consumers that held it, with their bytes
   */
  record MemoryLeft(long bytes, List<String> owners) {
    static final MemoryLeft NONE = new MemoryLeft(0, List.of());

    MemoryLeft {
      owners = List.copyOf(owners);
    }
  }
}
