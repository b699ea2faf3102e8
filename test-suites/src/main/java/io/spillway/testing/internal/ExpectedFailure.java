package io.spillway.testing.internal;

import io.spillway.chaos.Fault;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What a job may fail with when a fault was injected: the fault itself, which says so, or what
 * Spark and Spillway make of it.
 */
final class ExpectedFailure {
  /** Spark ends an executor for these, wherever they stand in the chain of causes. */
  private static final Pattern FATAL =
      Pattern.compile("\\b(java\\.lang\\.OutOfMemoryError|OutOfDirectMemoryError)\\b");

  /** How each injected fault calls itself, whatever class it has. */
  private static final String INJECTED = "injected";

  private static final String OUT_OF_MEMORY = "SparkOutOfMemoryError";
  private static final String SPILL = "SpillException";

  private final Set<String> classes;
  private final boolean injectedWillDo;
  private final String message;

  private ExpectedFailure(Collection<String> classes, boolean injectedWillDo, String message) {
    this.classes = new TreeSet<>(classes);
    this.injectedWillDo = injectedWillDo;
    this.message = message;
  }

  /**
   * What an annotation says.
   *
   * @param failsWith the classes; none: those that follow from the faults
   * @param message what the message must contain
   */
  static ExpectedFailure of(
      Class<? extends Throwable>[] failsWith, String message, Collection<Fault> faults) {
    if (failsWith.length > 0) {
      return new ExpectedFailure(
          Arrays.stream(failsWith).map(Class::getName).toList(), false, message);
    }
    Set<String> classes = new TreeSet<>();
    faults.forEach(fault -> classes.addAll(known(fault)));
    return new ExpectedFailure(classes, true, message);
  }

  private static List<String> known(Fault fault) {
    if (fault instanceof Fault.ShortGrant || fault instanceof Fault.OutOfMemory) {
      return List.of(OUT_OF_MEMORY);
    } else if (fault instanceof Fault.Damage) {
      return List.of(SPILL);
    } else if (fault instanceof Fault.Interrupt) {
      return List.of(
          "ClosedByInterruptException", "InterruptedException", "TaskKilledException", SPILL);
    } else if (fault instanceof Fault.FetchFailure || fault instanceof Fault.DamagedBlock) {
      return List.of("FetchFailed");
    }
    return List.of();
  }

  /** Why the failure is not a clean one; empty if it is. */
  Optional<String> problem(Throwable failure) {
    String text = text(failure);
    if (FATAL.matcher(text).find()) {
      return Optional.of(
          "the job failed with an OutOfMemoryError, for which Spark ends the executor");
    }
    boolean known =
        (injectedWillDo && text.contains(INJECTED)) || classes.stream().anyMatch(text::contains);
    if (!known) {
      return Optional.of("the job failed with something other than " + expectation());
    }
    return text.contains(message)
        ? Optional.empty()
        : Optional.of("the job's failure does not say '" + message + "'");
  }

  private String expectation() {
    List<String> all = new ArrayList<>(classes);
    if (injectedWillDo) {
      all.add(0, "the injected fault");
    }
    return String.join(", ", all);
  }

  /** Classes and messages of the whole chain: the driver has the executor's stack trace as text. */
  private static String text(Throwable failure) {
    StringBuilder text = new StringBuilder();
    int depth = 0;
    for (Throwable cause = failure; cause != null && depth < 20; cause = cause.getCause()) {
      text.append(cause).append('\n');
      depth++;
    }
    return text.toString();
  }
}
