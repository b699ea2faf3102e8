package io.spillway.chaos.internal.plan;

import io.spillway.chaos.FaultPlan;
import io.spillway.chaos.FaultRule;
import io.spillway.chaos.PlanException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads a whole plan from YAML and refuses what it does not know, with the line. */
public final class PlanReader {
  private static final List<String> KEYS =
      List.of("version", "seed", "environment", "killSwitch", "dryRun", "rules");

  private PlanReader() {}

  /**
   * Reads a plan file.
   *
   * @throws PlanException if it cannot be read or anything in it is wrong
   */
  public static FaultPlan read(Path file) {
    return read(file.toString(), YamlSource.text(file, "the plan"));
  }

  /**
   * Reads a plan from text.
   *
   * @param name what messages call the text
   * @throws PlanException if anything in it is wrong
   */
  public static FaultPlan read(String name, String yaml) {
    return read(new YamlSource(name), yaml);
  }

  /**
   * Reads a plan that an agent has written, of whatever length.
   *
   * @param name what messages call the text
   * @throws PlanException if anything else in it is wrong
   */
  public static FaultPlan readRecorded(String name, String yaml) {
    return read(YamlSource.ofAnyLength(name), yaml);
  }

  private static FaultPlan read(YamlSource source, String yaml) {
    YamlFields plan = new YamlFields(source, source.compose(yaml), "the plan", KEYS);
    plan.required("version");
    plan.whole("version", 1, 1);
    long seed = plan.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE).orElse(0);
    return new FaultPlan(
        seed,
        plan.text("environment"),
        killSwitch(plan),
        plan.flag("dryRun") ? FaultPlan.Mode.DRY_RUN : FaultPlan.Mode.FIRE,
        rules(source, plan.required("rules")));
  }

  private static Optional<Path> killSwitch(YamlFields plan) {
    Optional<String> text = plan.text("killSwitch");
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Path file;
    try {
      file = Path.of(text.get());
    } catch (InvalidPathException e) {
      throw plan.problem("killSwitch", "'killSwitch' is not a path: " + e.getReason());
    }
    if (!file.isAbsolute()) {
      // Executors work in directories of their own: a relative path would be a file for each.
      throw plan.problem("killSwitch", "'killSwitch' must be an absolute path, not '" + file + "'");
    }
    return Optional.of(file);
  }

  private static List<FaultRule> rules(YamlSource source, Node node) {
    if (!(node instanceof SequenceNode sequence) || sequence.getValue().isEmpty()) {
      throw source.problem(node, "'rules' must be a list with at least one rule");
    }
    List<FaultRule> rules = new ArrayList<>();
    for (Node rule : sequence.getValue()) {
      String name = "rule " + (rules.size() + 1);
      FaultRule read = RuleReader.read(source, rule, name);
      int shadow = Shadow.of(rules, read);
      if (shadow >= 0) {
        throw source.problem(
            rule,
            ("%s can never fire: rule %d on line %d takes every call that it picks; change their"
                    + " order or what they pick")
                .formatted(name, shadow + 1, YamlSource.line(sequence.getValue().get(shadow))));
      }
      rules.add(read);
    }
    return rules;
  }
}
