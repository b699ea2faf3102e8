package io.spillway.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/** An agent's answer about its plan, as lines for a terminal. */
final class ArmedPlanText {
  private ArmedPlanText() {}

  /** Plan, since when, files, then a line for each armed point and each rule. */
  static String of(JsonNode answer) {
    StringBuilder text = new StringBuilder();
    text.append(
        "plan %s, seed %s%s%n"
            .formatted(
                answer.get("plan").asText(),
                answer.get("seed").asText(),
                answer.has("mode") ? ", " + answer.get("mode").asText() : ""));
    text.append("armed since %s%n".formatted(answer.get("since").asText()));
    text.append("faults are written to %s%n".formatted(answer.get("firedFile").asText()));
    if (answer.has("disarmed")) {
      text.append("everything is disarmed: %s%n".formatted(answer.get("disarmed").asText()));
    }
    for (JsonNode point : answer.get("points")) {
      if (point.get("armed").asBoolean()) {
        text.append(
            "point %-16s %s, reached %d, fired %d%n"
                .formatted(
                    point.get("name").asText(),
                    state(point),
                    point.get("reached").asLong(),
                    point.get("fired").asLong()));
      }
    }
    for (JsonNode rule : answer.get("rules")) {
      text.append(
          String.format(
              Locale.ROOT,
              "rule %d: %s at %s, fired %d, limited %d%n",
              rule.get("rule").asInt(),
              rule.get("fault").asText(),
              rule.get("point").asText(),
              rule.get("fired").asLong(),
              rule.get("limited").asLong()));
    }
    return text.toString();
  }

  private static String state(JsonNode point) {
    if (point.has("reason")) {
      return "disarmed (" + point.get("reason").asText() + ")";
    }
    return point.get("instrumented").asBoolean() ? "instrumented" : "its class is not loaded yet";
  }
}
