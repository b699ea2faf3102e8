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
  private static final Pattern INJECTED = Pattern.compile("\\(injected: |\\binjected failure: ");

  private static final String OUT_OF_MEMORY = "SparkOutOfMemoryError";
  private static final String SPILL = "SpillException";
  private static final int MOST_CAUSES = 20;

  private final List<Class<? extends Throwable>> types;
  private final Set<String> names;
  private final boolean injectedWillDo;
  private final String message;

  private ExpectedFailure(
      List<Class<? extends Throwable>> types,
      Collection<String> names,
      boolean injectedWillDo,
      String message) {
    this.types = types;
    this.names = new TreeSet<>(names);
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
      List<Class<? extends Throwable>> types = Arrays.asList(failsWith);
      return new ExpectedFailure(
          types, types.stream().map(Class::getName).toList(), false, message);
    }
    Set<String> names = new TreeSet<>();
    faults.forEach(fault -> names.addAll(known(fault)));
    return new ExpectedFailure(List.of(), names, true, message);
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
    List<Throwable> chain = chain(failure);
    // The driver has the executor's stack trace as text.
    String text = String.join("\n", chain.stream().map(Throwable::toString).toList());
    if (FATAL.matcher(text).find()) {
      return Optional.of(
          "the job failed with an OutOfMemoryError, for which Spark ends the executor");
    }
    boolean known =
        (injectedWillDo && INJECTED.matcher(text).find())
            || names.stream().anyMatch(text::contains)
            || types.stream().anyMatch(type -> chain.stream().anyMatch(type::isInstance));
    if (!known) {
      return Optional.of("the job failed with something other than " + expectation());
    }
    return text.contains(message)
        ? Optional.empty()
        : Optional.of("the job's failure does not say '" + message + "'");
  }

  private String expectation() {
    List<String> all = new ArrayList<>(names);
    if (injectedWillDo) {
      all.add(0, "the injected fault");
    }
    return String.join(", ", all);
  }

  private static List<Throwable> chain(Throwable failure) {
    List<Throwable> chain = new ArrayList<>();
    for (Throwable cause = failure;
        cause != null && chain.size() < MOST_CAUSES;
        cause = cause.getCause()) {
      chain.add(cause);
    }
    return chain;
  }
}
