package io.spillway.chaos.internal.install;

import io.spillway.chaos.PlanException;
import io.spillway.chaos.internal.plan.SettingsReader;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * How the agent was asked to arm. Each key has one name in four forms, looked up in this order: the
 * agent's argument ({@code plan=...}), the system property ({@code spillway.chaos.plan}), the
 * environment variable ({@code SPILLWAY_CHAOS_PLAN}), and the settings file ({@code plan: ...})
 * that the key {@code config} names in one of the first three.
 *
 * @param plan the plan; empty: there is nothing to arm
 * @param out directory for the report; made if it is missing
 * @param environment the name of the environment that this JVM runs in
 */
public record AgentOptions(Optional<PlanSource> plan, Path out, Optional<String> environment) {
  /** The keys that may be given. */
  public static final List<String> KEYS = List.of("plan", "out", "environment", "config");

  private static final String PROPERTY = "spillway.chaos.";
  private static final String VARIABLE = "SPILLWAY_CHAOS_";
  private static final String DEFAULT_OUT = "spillway-chaos";

  /**
   * Brings the four forms together.
   *
   * @param argument what the agent's argument says, by key
   * @throws PlanException if a key is unknown or a value is wrong
   */
  public static AgentOptions of(
      Map<String, String> argument, Properties system, Map<String, String> variables) {
    checkNames(system.stringPropertyNames().stream(), PROPERTY, KEYS, "system property");
    checkNames(variables.keySet().stream(), VARIABLE, variableKeys(), "environment variable");
    Map<String, Setting> settings = new LinkedHashMap<>();
    for (String key : KEYS) {
      put(settings, key, AgentArgument.SOURCE, argument.get(key));
      put(settings, key, "system property " + PROPERTY + key, system.getProperty(PROPERTY + key));
      String variable = VARIABLE + key.toUpperCase(Locale.ROOT);
      put(settings, key, "environment variable " + variable, variables.get(variable));
    }
    Setting config = settings.get("config");
    if (config != null) {
      Path file = path("config", config);
      SettingsReader.read(file)
          .forEach((key, value) -> put(settings, key, "settings file " + file, value));
    }
    Setting out = settings.getOrDefault("out", new Setting("default", DEFAULT_OUT));
    return new AgentOptions(
        Optional.ofNullable(settings.get("plan"))
            .map(plan -> PlanSource.of(plan.source(), plan.value())),
        path("out", out),
        Optional.ofNullable(settings.get("environment")).map(Setting::value));
  }

  /** A name that begins like ours and is none of ours is a typing error, and not to be ignored. */
  private static void checkNames(
      Stream<String> names, String prefix, List<String> keys, String what) {
    names
        .filter(name -> name.startsWith(prefix) && !keys.contains(name.substring(prefix.length())))
        .filter(name -> !AttachReply.PROPERTIES.contains(name))
        .findFirst()
        .ifPresent(
            name -> {
              throw new PlanException(
                  what + " " + name,
                  0,
                  "there is no such setting; the names are "
                      + String.join(", ", keys.stream().map(prefix::concat).toList()));
            });
  }

  private static List<String> variableKeys() {
    return KEYS.stream().map(key -> key.toUpperCase(Locale.ROOT)).toList();
  }

  private static void put(Map<String, Setting> settings, String key, String source, String value) {
    if (value != null && !value.isBlank()) {
      settings.putIfAbsent(key, new Setting(source, value));
    }
  }

  private static Path path(String key, Setting setting) {
    try {
      return Path.of(setting.value());
    } catch (InvalidPathException e) {
      throw new PlanException(setting.source(), 0, "'" + key + "' is not a path: " + e.getReason());
    }
  }

  /**
   * @param source where the value was found, for messages
   */
  private record Setting(String source, String value) {}
}
