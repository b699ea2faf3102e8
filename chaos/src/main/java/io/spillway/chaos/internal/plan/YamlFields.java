package io.spillway.chaos.internal.plan;

import io.spillway.chaos.PlanException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Typed access to the keys of one YAML mapping. Keys that are unknown, not plain or given twice are
 * refused when it is made; every value's problem names its line.
 */
final class YamlFields {
  private final YamlSource source;
  private final Node node;
  private final String what;
  private final Map<String, Node> values = new LinkedHashMap<>();

  /**
   * @param what how messages call the mapping, for example {@code rule 2}
   * @param allowed the keys that it may have
   */
  YamlFields(YamlSource source, Node node, String what, List<String> allowed) {
    this.source = source;
    this.node = node;
    this.what = what;
    String keys = String.join(", ", allowed);
    if (!(node instanceof MappingNode mapping)) {
      throw source.problem(node, what + " must be a mapping with the keys " + keys);
    }
    for (NodeTuple tuple : mapping.getValue()) {
      Node keyNode = tuple.getKeyNode();
      if (!(keyNode instanceof ScalarNode scalar) || !allowed.contains(scalar.getValue())) {
        String key = keyNode instanceof ScalarNode scalar ? "'" + scalar.getValue() + "'" : "a key";
        throw source.problem(keyNode, what + " has " + key + "; the keys allowed are " + keys);
      }
      Node first = values.putIfAbsent(scalar.getValue(), tuple.getValueNode());
      if (first != null) {
        throw source.problem(
            keyNode,
            "%s has '%s' a second time (first on line %d)"
                .formatted(what, scalar.getValue(), YamlSource.line(first)));
      }
    }
  }

  boolean has(String key) {
    return values.containsKey(key);
  }

  /** The keys in the order of the text. */
  List<String> keys() {
    return List.copyOf(values.keySet());
  }

  Optional<Node> node(String key) {
    return Optional.ofNullable(values.get(key));
  }

  Node required(String key) {
    return node(key).orElseThrow(() -> problem(what + " has no '" + key + "'"));
  }

  /** The text of a scalar that must not be empty. */
  Optional<String> text(String key) {
    return node(key).map(value -> text(key, value));
  }

  private String text(String key, Node value) {
    if (value instanceof ScalarNode scalar
        && !scalar.getTag().equals(Tag.NULL)
        && !scalar.getValue().isBlank()) {
      return scalar.getValue();
    }
    throw source.problem(value, "'" + key + "' of " + what + " must be a text that is not empty");
  }

  /** A whole number from {@code least} to {@code most}. */
  OptionalLong whole(String key, long least, long most) {
    Node value = values.get(key);
    return value == null ? OptionalLong.empty() : OptionalLong.of(whole(key, value, least, most));
  }

  private long whole(String key, Node value, long least, long most) {
    if (value instanceof ScalarNode scalar && scalar.getTag().equals(Tag.INT)) {
      try {
        long number = Long.parseLong(scalar.getValue());
        if (number >= least && number <= most) {
          return number;
        }
      } catch (NumberFormatException e) {
        // Too many digits: the message below says what is allowed.
      }
    }
    String range =
        most == Long.MAX_VALUE || most == Integer.MAX_VALUE
            ? "of at least " + least
            : "from " + least + " to " + most;
    throw source.problem(
        value,
        "'%s' of %s must be a whole number %s, not %s".formatted(key, what, range, shown(value)));
  }

  /** One whole number or a list of them, each a partition id or a stage ordinal. */
  List<Integer> ordinals(String key) {
    Node value = values.get(key);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof SequenceNode sequence)) {
      return List.of((int) whole(key, value, 0, Integer.MAX_VALUE));
    }
    List<Integer> numbers = new ArrayList<>();
    for (Node element : sequence.getValue()) {
      numbers.add((int) whole(key, element, 0, Integer.MAX_VALUE));
    }
    if (numbers.isEmpty()) {
      throw source.problem(value, "'" + key + "' of " + what + " is an empty list");
    }
    return numbers;
  }

  /** One whole number or a list of them, each the index of a call. */
  List<Long> calls(String key) {
    Node value = required(key);
    if (!(value instanceof SequenceNode sequence)) {
      return List.of(whole(key, value, 1, Long.MAX_VALUE));
    }
    if (sequence.getValue().isEmpty()) {
      throw source.problem(value, "'" + key + "' of " + what + " is an empty list");
    }
    return sequence.getValue().stream()
        .map(element -> whole(key, element, 1, Long.MAX_VALUE))
        .toList();
  }

  /** A text that may be empty; empty if absent. */
  String anyText(String key) {
    Node value = values.get(key);
    if (value == null) {
      return "";
    }
    if (value instanceof ScalarNode scalar && !scalar.getTag().equals(Tag.NULL)) {
      return scalar.getValue();
    }
    throw source.problem(value, "'" + key + "' of " + what + " must be a text");
  }

  /** A number; not-a-number and infinities are none. */
  double number(String key) {
    Node value = required(key);
    if (value instanceof ScalarNode scalar
        && (scalar.getTag().equals(Tag.INT) || scalar.getTag().equals(Tag.FLOAT))) {
      try {
        double number = Double.parseDouble(scalar.getValue());
        if (Double.isFinite(number)) {
          return number;
        }
      } catch (NumberFormatException e) {
        // YAML's .inf and .nan: the message below says what is allowed.
      }
    }
    throw source.problem(
        value, "'%s' of %s must be a number, not %s".formatted(key, what, shown(value)));
  }

  /** True or false; false if absent. */
  boolean flag(String key) {
    Node value = values.get(key);
    if (value == null) {
      return false;
    }
    if (value instanceof ScalarNode scalar && scalar.getTag().equals(Tag.BOOL)) {
      return Boolean.parseBoolean(scalar.getValue());
    }
    throw source.problem(
        value, "'%s' of %s must be true or false, not %s".formatted(key, what, shown(value)));
  }

  PlanException problem(String problem) {
    return source.problem(node, problem);
  }

  PlanException problem(String key, String problem) {
    return source.problem(values.getOrDefault(key, node), problem);
  }

  static String shown(Node value) {
    if (value instanceof ScalarNode scalar) {
      return "'" + scalar.getValue() + "'";
    }
    return value instanceof SequenceNode ? "a list" : "a mapping";
  }
}
