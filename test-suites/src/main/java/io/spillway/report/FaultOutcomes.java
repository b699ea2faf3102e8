package io.spillway.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What came of faults, from the ends of the attempts of their tasks. Immutable once made. */
public final class FaultOutcomes {
  /** The one point whose fault is the executor's death itself. */
  private static final String EXECUTOR_EXIT = "executor.exit";

  private final Map<AttemptEnd.Task, List<AttemptEnd>> byTask = new HashMap<>();

  /** Ends of attempts; those that are absent count as never seen. */
  public FaultOutcomes(List<AttemptEnd> ends) {
    for (AttemptEnd end : ends) {
      byTask.computeIfAbsent(end.task(), task -> new ArrayList<>()).add(end);
    }
  }

  /**
   * What came of a fault.
   *
   * @param jvmEnded whether the JVM in which it fired came to an orderly end, which is all that
   *     tells of a fault outside any task
   */
  public Verdict of(FiredFault fault, boolean jvmEnded) {
    if (fault.isOutsideTask()) {
      return new Verdict(
          jvmEnded ? Outcome.RECOVERED : Outcome.NOT_HANDLED,
          -1,
          jvmEnded ? "" : "the JVM came to no orderly end");
    }
    List<AttemptEnd> ends = byTask.getOrDefault(fault.task(), List.of());
    Optional<AttemptEnd> own =
        ends.stream()
            .filter(end -> end.isAttempt(fault.stageAttempt(), fault.attempt()))
            .findFirst();
    Optional<AttemptEnd> other =
        ends.stream()
            .filter(AttemptEnd::succeeded)
            .filter(end -> !end.isAttempt(fault.stageAttempt(), fault.attempt()))
            .min(Comparator.comparingLong(AttemptEnd::startedMillis));
    boolean wanted = fault.point().equals(EXECUTOR_EXIT);
    if (own.isEmpty() || (own.get().fatal() && !own.get().succeeded())) {
      return wanted && other.isPresent()
          ? new Verdict(Outcome.RETRIED, lostMicros(own, other.get()), "")
          : new Verdict(
              Outcome.NOT_HANDLED,
              -1,
              own.map(AttemptEnd::failure).orElse("the attempt's end was never seen"));
    }
    if (own.get().succeeded()) {
      return new Verdict(Outcome.RECOVERED, recoveryMicros(own.get(), fault), "");
    }
    String failure = own.get().failure() == null ? "" : own.get().failure();
    return other.isPresent()
        ? new Verdict(Outcome.RETRIED, lostMicros(own, other.get()), failure)
        : new Verdict(Outcome.FAILED_CLEANLY, recoveryMicros(own.get(), fault), failure);
  }

  /** What was done until the successful attempt began was done for nothing. */
  private static long lostMicros(Optional<AttemptEnd> own, AttemptEnd succeeded) {
    return own.isEmpty()
        ? -1
        : Math.max(0, succeeded.startedMillis() - own.get().startedMillis()) * 1000;
  }

  private static long recoveryMicros(AttemptEnd end, FiredFault fault) {
    return end.faults().stream()
        .filter(one -> one.point().equals(fault.point()) && one.call() == fault.call())
        .mapToLong(AttemptEnd.Recovery::recoveryMicros)
        .findFirst()
        .orElse(-1);
  }

  /**
   * The outcome of one fault.
   *
   * @param costMicros the time that it cost; -1 where nobody measured it
   * @param failure what failed the attempt; empty if nothing did
   */
  public record Verdict(Outcome outcome, long costMicros, String failure) {}
}
