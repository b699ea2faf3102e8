package io.spillway.chaos;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The {@code where} of a rule; what is empty matches everything. Label and operator are patterns in
 * which {@code *} stands for any text and {@code ?} for one character.
 *
 * @param label pattern for the query's label
 * @param stages stage ordinals, counted from the query's first stage
 * @param partitions partition ids
 * @param attempt the attempt number that may be hit, in the first attempt of its stage; empty: all
 *     attempts of all stage attempts
 * @param operator pattern for the operator's name, where the point knows it
 * @param outsideTask whether the rule is for calls outside any task, and for those only
 * @param place the JVMs that the rule is for
 */
public record Scope(
    Optional<String> label,
    List<Integer> stages,
    List<Integer> partitions,
    OptionalInt attempt,
    Optional<String> operator,
    boolean outsideTask,
    Place place) {

  /** Any first attempt of a task: what a rule without {@code where} has, so that jobs finish. */
  public static final Scope FIRST_ATTEMPTS =
      new Scope(Optional.empty(), List.of(), List.of(), OptionalInt.of(0), Optional.empty(), false);

  /** Any attempt of any task. */
  public static final Scope ALL_ATTEMPTS =
      new Scope(
          Optional.empty(), List.of(), List.of(), OptionalInt.empty(), Optional.empty(), false);

  /** In every JVM. */
  public Scope(
      Optional<String> label,
      List<Integer> stages,
      List<Integer> partitions,
      OptionalInt attempt,
      Optional<String> operator,
      boolean outsideTask) {
    this(label, stages, partitions, attempt, operator, outsideTask, Place.ANYWHERE);
  }

  /** Copies the lists. */
  public Scope {
    stages = List.copyOf(stages);
    partitions = List.copyOf(partitions);
  }
}
