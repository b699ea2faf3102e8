package io.spillway.chaos.internal.install;

import io.spillway.chaos.PlanException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The text after the jar's {@code =}: {@code KEY=VALUE,KEY=VALUE}. A comma inside braces or
 * brackets is part of the value, so that a whole plan can stand there in YAML's flow style; any
 * other comma of a value is written {@code \,} and a backslash before a comma {@code \\}.
 */
public final class AgentArgument {
  /** What messages call the argument, in place of a file. */
  static final String SOURCE = "agent argument";

  private AgentArgument() {}

  /**
   * Splits the argument.
   *
   * @param argument may be null
   * @param keys the keys that may be given, each once
   * @return what was given, in its order
   * @throws PlanException if it is wrong
   */
  public static Map<String, String> parse(String argument, List<String> keys) {
    Map<String, String> given = new LinkedHashMap<>();
    if (argument != null && !argument.isBlank()) {
      for (String part : split(argument)) {
        add(part.strip(), keys, given);
      }
    }
    return given;
  }

  /** Writes a value so that {@link #parse} reads it back. */
  public static String escape(String value) {
    return value.replace("\\", "\\\\").replace(",", "\\,");
  }

  private static List<String> split(String argument) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    int depth = 0;
    for (int i = 0; i < argument.length(); i++) {
      char c = argument.charAt(i);
      if (c == '\\' && i + 1 < argument.length() && ",\\".indexOf(argument.charAt(i + 1)) >= 0) {
        i++;
        part.append(argument.charAt(i));
      } else if (c == ',' && depth == 0) {
        parts.add(part.toString());
        part.setLength(0);
      } else {
        depth = Math.max(0, depth + ("{[".indexOf(c) >= 0 ? 1 : "}]".indexOf(c) >= 0 ? -1 : 0));
        part.append(c);
      }
    }
    parts.add(part.toString());
    return parts;
  }

  private static void add(String part, List<String> keys, Map<String, String> given) {
    int equals = part.indexOf('=');
    String key = equals < 0 ? part : part.substring(0, equals);
    if (equals < 0 || !keys.contains(key)) {
      throw problem(
          "'" + part + "' is not KEY=VALUE with one of the keys " + String.join(", ", keys));
    }
    String value = part.substring(equals + 1);
    if (value.isBlank()) {
      throw problem("'" + key + "' has no value");
    }
    if (given.putIfAbsent(key, value) != null) {
      throw problem("'" + key + "' is given twice");
    }
  }

  static PlanException problem(String problem) {
    return new PlanException(SOURCE, 0, problem);
  }
}
