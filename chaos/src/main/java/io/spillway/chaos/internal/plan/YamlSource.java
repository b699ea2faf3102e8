package io.spillway.chaos.internal.plan;

import io.spillway.chaos.PlanException;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * One YAML text, composed into nodes and no further: no object is ever constructed from a tag, and
 * every node knows its line.
 */
final class YamlSource {
  /** A plan is a page or two; what is larger is not a plan. */
  static final int MAX_CHARACTERS = 256 * 1024;

  private final String name;
  private final int linesBefore;

  YamlSource(String name) {
    this(name, 0);
  }

  /**
   * @param linesBefore lines of the file before the text
   */
  YamlSource(String name, int linesBefore) {
    this.name = name;
    this.linesBefore = linesBefore;
  }

  /** The only document of the text. */
  Node compose(String yaml) {
    if (yaml.length() > MAX_CHARACTERS) {
      throw problem(
          0,
          "the plan has " + yaml.length() + " characters where " + MAX_CHARACTERS + " are allowed");
    }
    LoadSettings settings =
        LoadSettings.builder().setLabel(name).setCodePointLimit(MAX_CHARACTERS).build();
    Optional<Node> root;
    try {
      root = new Compose(settings).composeString(yaml);
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(0);
      throw new PlanException(name, line + linesBefore, "this is not YAML: " + e.getProblem(), e);
    } catch (YamlEngineException e) {
      throw new PlanException(name, linesBefore, "this is not YAML: " + oneLine(e.getMessage()), e);
    }
    return root.orElseThrow(() -> problem(0, "the plan is empty; it needs version and rules"));
  }

  PlanException problem(Node at, String problem) {
    return problem(line(at), problem);
  }

  PlanException problem(int line, String problem) {
    return new PlanException(name, line + linesBefore, problem);
  }

  static int line(Node node) {
    return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
  }

  private static String oneLine(String message) {
    return message == null ? "no message" : message.replaceAll("\\s+", " ");
  }
}
