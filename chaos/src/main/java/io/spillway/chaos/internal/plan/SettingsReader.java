package io.spillway.chaos.internal.plan;

import io.spillway.chaos.PlanException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the agent's settings file: YAML with the keys that the agent's argument has. */
public final class SettingsReader {
  private static final List<String> KEYS = List.of("plan", "out", "environment");

  private SettingsReader() {}

  /**
   * Reads the file.
   *
   * @return the settings by key; relative paths are resolved against the file's directory, because
   *     executors work in directories of their own
   * @throws PlanException if it cannot be read or anything in it is wrong
   */
  public static Map<String, String> read(Path file) {
    YamlSource source = new YamlSource(file.toString());
    YamlFields fields =
        new YamlFields(
            source,
            source.compose(YamlSource.text(file, "the settings file")),
            "the settings file",
            KEYS);
    Map<String, String> settings = new LinkedHashMap<>();
    for (String key : fields.keys()) {
      String value = fields.text(key).orElseThrow();
      boolean path = key.equals("out") || (key.equals("plan") && !value.startsWith("{"));
      settings.put(key, path ? file.resolveSibling(value).toString() : value);
    }
    return settings;
  }
}
