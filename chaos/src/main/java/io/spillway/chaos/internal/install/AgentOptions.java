package io.spillway.chaos.internal.install;

import io.spillway.chaos.PlanException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * How the agent was asked to arm: {@code plan=FILE,out=DIR,environment=NAME}. What the argument
 * does not say comes from the system properties {@code spillway.chaos.plan}, {@code .out} and
 * {@code .environment}, which may hold a comma.
 *
 * @param plan the plan's file; empty: there is nothing to arm
 * @param out directory for the report; made if it is missing
 * @param environment the name of the environment that this JVM runs in
 */
public record AgentOptions(Optional<Path> plan, Path out, Optional<String> environment) {
  /** What messages call the argument, in place of a file. */
  static final String SOURCE = "agent argument";

  private static final List<String> KEYS = List.of("plan", "out", "environment");
  private static final String DEFAULT_OUT = "spillway-chaos";

  /**
   * Parses the agent's argument.
   *
   * @param argument the text after the jar's {@code =}; may be null
   * @throws PlanException if it is wrong
   */
  public static AgentOptions parse(String argument, Properties system) {
    Map<String, String> given = new LinkedHashMap<>();
    if (argument != null && !argument.isBlank()) {
      for (String part : argument.split(",", -1)) {
        add(part.strip(), given);
      }
    }
    for (String key : KEYS) {
      String property = system.getProperty("spillway.chaos." + key);
      if (property != null && !property.isBlank()) {
        given.putIfAbsent(key, property);
      }
    }
    return new AgentOptions(
        Optional.ofNullable(given.get("plan")).map(text -> path("plan", text)),
        path("out", given.getOrDefault("out", DEFAULT_OUT)),
        Optional.ofNullable(given.get("environment")));
  }

  private static void add(String part, Map<String, String> given) {
    int equals = part.indexOf('=');
    String key = equals < 0 ? part : part.substring(0, equals);
    if (equals < 0 || !KEYS.contains(key)) {
      throw problem(
          "'" + part + "' is not KEY=VALUE with one of the keys " + String.join(", ", KEYS));
    }
    String value = part.substring(equals + 1);
    if (value.isBlank()) {
      throw problem("'" + key + "' has no value");
    }
    if (given.putIfAbsent(key, value) != null) {
      throw problem("'" + key + "' is given twice");
    }
  }

  private static Path path(String key, String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw problem("'" + key + "' is not a path: " + e.getReason());
    }
  }

  private static PlanException problem(String problem) {
    return new PlanException(SOURCE, 0, problem);
  }
}
