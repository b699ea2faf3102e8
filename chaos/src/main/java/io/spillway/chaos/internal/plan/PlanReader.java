package io.spillway.chaos.internal.plan;

import io.spillway.chaos.FaultPlan;
import io.spillway.chaos.FaultRule;
import io.spillway.chaos.PlanException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads a whole plan from YAML and refuses what it does not know, with the line. */
public final class PlanReader {
  private static final List<String> KEYS =
      List.of("version", "seed", "environment", "killSwitch", "rules");

  private PlanReader() {}

  /**
   * Reads a plan file.
   *
   * @throws PlanException if it cannot be read or anything in it is wrong
   */
  public static FaultPlan read(Path file) {
    String yaml;
    try {
      long sizeBytes = Files.size(file);
      // A character takes four bytes at most: what is larger has too many, and is not loaded.
      if (sizeBytes > 4L * YamlSource.MAX_CHARACTERS) {
        throw new PlanException(
            file.toString(),
            0,
            "the plan has %d bytes; %d characters are allowed"
                .formatted(sizeBytes, YamlSource.MAX_CHARACTERS));
      }
      yaml = Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new PlanException(file.toString(), 0, "the plan is not UTF-8 text", e);
    } catch (NoSuchFileException e) {
      throw new PlanException(
          file.toString(), 0, "there is no such file; a YAML plan is wanted", e);
    } catch (IOException e) {
      throw new PlanException(
          file.toString(), 0, "the plan cannot be read: " + e.getClass().getSimpleName(), e);
    }
    return read(file.toString(), yaml);
  }

  /**
   * Reads a plan from text.
   *
   * @param name what messages call the text
   * @throws PlanException if anything in it is wrong
   */
  public static FaultPlan read(String name, String yaml) {
    YamlSource source = new YamlSource(name);
    YamlFields plan = new YamlFields(source, source.compose(yaml), "the plan", KEYS);
    plan.required("version");
    plan.whole("version", 1, 1);
    long seed = plan.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE).orElse(0);
    return new FaultPlan(
        seed, plan.text("environment"), killSwitch(plan), rules(source, plan.required("rules")));
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
      rules.add(RuleReader.read(source, rule, "rule " + (rules.size() + 1)));
    }
    return rules;
  }
}
