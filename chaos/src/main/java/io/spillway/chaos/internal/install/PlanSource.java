package io.spillway.chaos.internal.install;

import io.spillway.chaos.FaultPlan;
import io.spillway.chaos.PlanException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a plan comes from.
 *
 * @param name what messages and the status call it: the file, or the setting that holds it
 * @param yaml the plan itself; empty: it is in the file of that name
 */
public record PlanSource(String name, Optional<String> yaml) {

  /**
   * Reads a setting: the path of a plan, or a plan in YAML's flow style, told by its brace.
   *
   * @param setting what messages call the setting
   * @throws PlanException if it is neither
   */
  static PlanSource of(String setting, String value) {
    if (value.stripLeading().startsWith("{")) {
      return new PlanSource("the plan in the " + setting, Optional.of(value));
    }
    try {
      return new PlanSource(Path.of(value).toString(), Optional.empty());
    } catch (InvalidPathException e) {
      throw new PlanException(setting, 0, "'plan' is not a path: " + e.getReason());
    }
  }

  /**
   * Reads and checks the plan.
   *
   * @throws PlanException if it cannot be read or anything in it is wrong
   */
  public FaultPlan read() {
    return yaml.map(text -> FaultPlan.parse(name, text))
        .orElseGet(() -> FaultPlan.parse(Path.of(name)));
  }
}
