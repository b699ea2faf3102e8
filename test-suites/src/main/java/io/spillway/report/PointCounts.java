package io.spillway.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How often points were reached and rules fired, summed over agents.
 *
 * @param byPoint by the point's name, as the catalogue orders them
 * @param byRule by the rule's number in the plan
 */
public record PointCounts(Map<String, Count> byPoint, Map<Integer, Rule> byRule) {
  /** No agent told anything. */
  public static final PointCounts NONE = new PointCounts(Map.of(), Map.of());

  /**
   * Of one point, over all agents.
   *
   * @param reason why an agent disarmed it; empty if none did
   */
  public record Count(boolean armed, boolean instrumented, long reached, Optional<String> reason) {
    static final Count NONE = new Count(false, false, 0, Optional.empty());

    private Count plus(Count other) {
      return new Count(
          armed || other.armed,
          instrumented || other.instrumented,
          reached + other.reached,
          reason.or(() -> other.reason));
    }
  }

  /** Of one rule, over all agents. */
  public record Rule(String point, String fault, long fired, long limited) {
    private Rule plus(Rule other) {
      if (!point.equals(other.point) || !fault.equals(other.fault)) {
        throw new RecordException(
            "agents with different plans have written there: a rule is %s at %s for one and %s at %s for another; give each run a directory of its own as 'out'"
                .formatted(fault, point, other.fault, other.point));
      }
      return new Rule(point, fault, fired + other.fired, limited + other.limited);
    }
  }

  /** The points that a plan names. */
  List<String> armed() {
    return byPoint.entrySet().stream()
        .filter(entry -> entry.getValue().armed())
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Sums the agents' own files.
   *
   * @throws RecordException if they are not of one plan
   */
  public static PointCounts of(Collection<JsonNode> files) {
    Map<String, Count> points = new LinkedHashMap<>();
    Map<Integer, Rule> rules = new TreeMap<>();
    for (JsonNode file : files) {
      for (JsonNode point : file.path("points")) {
        Count count =
            new Count(
                point.path("armed").asBoolean(),
                point.path("instrumented").asBoolean(),
                point.path("reached").asLong(),
                point.has("reason") ? Optional.of(point.get("reason").asText()) : Optional.empty());
        points.merge(point.path("name").asText(), count, Count::plus);
      }
      for (JsonNode rule : file.path("rules")) {
        rules.merge(
            rule.path("rule").asInt(),
            new Rule(
                rule.path("point").asText(),
                rule.path("fault").asText(),
                rule.path("fired").asLong(),
                rule.path("limited").asLong()),
            Rule::plus);
      }
    }
    return new PointCounts(points, rules);
  }
}
