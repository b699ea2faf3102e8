package io.spillway.chaos;

import io.spillway.chaos.internal.plan.FiredReader;
import io.spillway.chaos.internal.plan.PlanReader;
import io.spillway.chaos.internal.plan.PlanWriter;
import io.spillway.chaos.internal.plan.Shadow;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A checked fault plan. Immutable; the same plan decides alike in every JVM.
 *
 * @param seed first part of every decision's key
 * @param environment the only environment in which the plan may be armed; empty: any
 * @param killSwitch absolute path of a file whose existence keeps every fault from firing
 * @param mode whether faults are injected or only counted
 * @param rules at least one; of the rules that pick a call, the first one in the plan fires
 */
public record FaultPlan(
    long seed,
    Optional<String> environment,
    Optional<Path> killSwitch,
    Mode mode,
    List<FaultRule> rules) {

  /** What happens when a rule picks a call. */
  public enum Mode {
    /** The fault is injected. */
    FIRE,
    /** It is counted and written down in a file of its own, and the call passes. */
    DRY_RUN
  }

  /**
   * Copies the list. Refuses with {@link IllegalArgumentException} a rule that an earlier one keeps
   * from ever firing.
   */
  public FaultPlan {
    rules = List.copyOf(rules);
    for (int i = 1; i < rules.size(); i++) {
      int shadow = Shadow.of(rules.subList(0, i), rules.get(i));
      if (shadow >= 0) {
        throw new IllegalArgumentException(
            "rule %d can never fire: rule %d takes every call that it picks"
                .formatted(i + 1, shadow + 1));
      }
    }
  }

  /**
   * Reads and checks a YAML plan.
   *
   * @param file the plan
   * @return the plan, ready to be armed
   * @throws PlanException if the file cannot be read or anything in it is wrong; the message is one
   *     sentence with the file, the line and what is allowed
   */
  public static FaultPlan parse(Path file) {
    return PlanReader.read(file);
  }

  /**
   * Checks a YAML plan given as text.
   *
   * @param source what messages call the text, in place of a file name
   * @param yaml the text
   * @return the plan, ready to be armed
   * @throws PlanException as {@link #parse(Path)} does
   */
  public static FaultPlan parse(String source, String yaml) {
    return PlanReader.read(source, yaml);
  }

  /**
   * Reads a plan that an agent wrote down as {@link #toYaml()} makes it. It was checked when it was
   * armed, and what it is now may be longer than a plan by hand may be.
   *
   * @throws PlanException as {@link #parse(Path)} does, but not for its length
   */
  public static FaultPlan recorded(String source, String yaml) {
    return PlanReader.readRecorded(source, yaml);
  }

  /**
   * Makes the plan that fires exactly what was written down.
   *
   * @param fired {@code fired-<pid>.jsonl} files of one run, or directories that have them
   * @return a plan with a rule for each point and fault, with the keys at which it fired
   * @throws PlanException if a file cannot be read, a line is not what the agent writes, the files
   *     are of runs with different seeds, or nothing fired
   */
  public static FaultPlan replay(List<Path> fired) {
    return FiredReader.replay(fired);
  }

  /** The same plan under another seed. */
  public FaultPlan withSeed(long newSeed) {
    return new FaultPlan(newSeed, environment, killSwitch, mode, rules);
  }

  /** This plan as YAML; {@link #parse(String, String)} of it gives an equal plan. */
  public String toYaml() {
    return PlanWriter.write(this);
  }
}
