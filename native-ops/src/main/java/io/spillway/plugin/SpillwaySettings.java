package io.spillway.plugin;

import io.spillway.memory.MemorySettings;
import io.spillway.memory.SettingValues;
import io.spillway.memory.breaker.BreakerSettings;
import io.spillway.plan.OperatorSwitch;
import io.spillway.plan.PlanSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.SparkConf;

/**
 * The application's settings: resolved once on the driver, and what executors need of them handed
 * over. Immutable. The settings of planning are not here: a session may change them at run time, so
 * {@link PlanSettings} reads them there.
 */
public final class SpillwaySettings {
  static final String BREAKER_FEWEST = "spark.spillway.breaker.fewestOutcomes";
  static final String BREAKER_PERCENT = "spark.spillway.breaker.failurePercent";
  static final String BREAKER_OPEN_FOR = "spark.spillway.breaker.openFor";
  static final String SHUTDOWN_WAIT = "spark.spillway.shutdownWait";
  static final String OFF_HEAP_ENABLED = "spark.memory.offHeap.enabled";
  static final String OFF_HEAP_SIZE = "spark.memory.offHeap.size";

  /** In the map for executors: whether the driver has turned Spillway on. */
  private static final String ACTIVE = "active";

  private static final String IN_SESSION = "session";
  private static final String AT_START = "application";

  /**
   * One row of the documentation.
   *
   * @param scope {@code session} if a running session can change it, {@code application} if it is
   *     read when the application starts
   */
  public record Setting(String key, String defaultValue, String scope, String meaning) {}

  /** A day. */
  private static final long LONGEST_MILLIS = 86_400_000;

  private static final List<Setting> OWN =
      List.of(
          new Setting(
              BREAKER_FEWEST,
              Integer.toString(BreakerSettings.DEFAULT.fewestOutcomes()),
              AT_START,
              "How many stages with a kind of operator must have ended before it is left on the JVM;"
                  + " the last "
                  + BreakerSettings.DEFAULT.windowOutcomes()
                  + " are looked at."),
          new Setting(
              BREAKER_PERCENT,
              Integer.toString(BreakerSettings.DEFAULT.failurePercent()),
              AT_START,
              "How many percent of them must have failed natively for that."),
          new Setting(
              BREAKER_OPEN_FOR,
              BreakerSettings.DEFAULT.openFor().toSeconds() + "s",
              AT_START,
              "How long it is left there before "
                  + BreakerSettings.DEFAULT.trials()
                  + " queries try it again."),
          new Setting(
              SHUTDOWN_WAIT,
              "10s",
              AT_START,
              "How long the driver waits, when the application ends, for the last memory report of"
                  + " its executors, and each of them for the driver's answer."));

  private final MemorySettings memory;
  private final long shutdownWaitMillis;
  private final BreakerSettings breaker;

  private SpillwaySettings(
      MemorySettings memory, long shutdownWaitMillis, BreakerSettings breaker) {
    this.memory = memory;
    this.shutdownWaitMillis = shutdownWaitMillis;
    this.breaker = breaker;
  }

  /**
   * Resolves the settings.
   *
   * @throws IllegalArgumentException if one has a wrong value; the message names it
   */
  static SpillwaySettings of(SparkConf conf) {
    Map<String, String> map = new HashMap<>();
    OWN.forEach(each -> map.put(each.key(), conf.get(each.key(), each.defaultValue())));
    SettingValues values = new SettingValues(map);
    BreakerSettings defaults = BreakerSettings.DEFAULT;
    int window = defaults.windowOutcomes();
    BreakerSettings breaker =
        new BreakerSettings(
            window,
            (int) values.number(BREAKER_FEWEST, 1, window),
            (int) values.number(BREAKER_PERCENT, 1, 100),
            Duration.ofMillis(values.millis(BREAKER_OPEN_FOR, 1, LONGEST_MILLIS)),
            defaults.trials(),
            defaults.trialsWithin());
    return new SpillwaySettings(
        MemorySettings.fromConf(conf), values.millis(SHUTDOWN_WAIT, 0, LONGEST_MILLIS), breaker);
  }

  /** Why nothing native can run in this application; empty if nothing stands in the way. */
  static Optional<String> missing(SparkConf conf) {
    boolean enabled = conf.getBoolean(OFF_HEAP_ENABLED, false);
    long bytes = conf.getSizeAsBytes(OFF_HEAP_SIZE, "0");
    if (enabled && bytes > 0) {
      return Optional.empty();
    }
    return Optional.of(
        "its memory is Spark's off-heap memory: set "
            + OFF_HEAP_ENABLED
            + "=true (now "
            + enabled
            + ") and "
            + OFF_HEAP_SIZE
            + " to a size above 0 (now "
            + conf.get(OFF_HEAP_SIZE, "0")
            + ")");
  }

  MemorySettings memory() {
    return memory;
  }

  BreakerSettings breaker() {
    return breaker;
  }

  /** How long the driver waits for the executors' last reports at its end, in milliseconds. */
  long shutdownWaitMillis() {
    return shutdownWaitMillis;
  }

  /** What executors get from the driver. */
  Map<String, String> forExecutors() {
    Map<String, String> map = new HashMap<>(memory.toMap());
    map.put(ACTIVE, "true");
    map.put(SHUTDOWN_WAIT, shutdownWaitMillis + "ms");
    return map;
  }

  /** The memory settings from the driver; empty if it left Spillway off. */
  static Optional<MemorySettings> fromDriver(Map<String, String> map) {
    if (!"true".equals(map.get(ACTIVE))) {
      return Optional.empty();
    }
    Map<String, String> memory = new HashMap<>(map);
    memory.remove(ACTIVE);
    memory.remove(SHUTDOWN_WAIT);
    return Optional.of(MemorySettings.fromMap(memory));
  }

  /** How long an executor that the driver gave this map waits for it at its end. */
  static Duration shutdownWaitFromDriver(Map<String, String> map) {
    return Duration.ofMillis(new SettingValues(map).millis(SHUTDOWN_WAIT, 0, LONGEST_MILLIS));
  }

  /** All settings, in the order of the documentation. */
  public static List<Setting> table() {
    List<Setting> table = new ArrayList<>();
    table.add(
        new Setting(
            PlanSettings.ENABLED,
            "true",
            IN_SESSION,
            "Whether operators are replaced by native ones."));
    for (OperatorSwitch each : OperatorSwitch.values()) {
      table.add(new Setting(each.key(), "true", IN_SESSION, each.meaning()));
    }
    table.add(
        new Setting(
            PlanSettings.EXPLAIN_LOG,
            PlanSettings.ExplainLog.OFF.text(),
            IN_SESSION,
            "What is logged of each query's plan: off, fallbacks (operators that stay on the JVM"
                + " and why) or all (the whole plan)."));
    table.add(
        new Setting(
            PlanSettings.BREAKER_ENABLED,
            "true",
            IN_SESSION,
            "Whether kinds of operators that keep failing natively are left on the JVM for a"
                + " while."));
    table.addAll(OWN);
    for (MemorySettings.Setting setting : MemorySettings.table()) {
      table.add(new Setting(setting.key(), setting.defaultValue(), AT_START, setting.meaning()));
    }
    return table;
  }

  /** The table of the documentation, in Markdown, without a heading. */
  public static String markdown() {
    StringBuilder text =
        new StringBuilder("| setting | default | read by | meaning |\n|---|---|---|---|\n");
    for (Setting setting : table()) {
      text.append("| `")
          .append(setting.key())
          .append("` | `")
          .append(setting.defaultValue())
          .append("` | ")
          .append(setting.scope())
          .append(" | ")
          .append(setting.meaning())
          .append(" |\n");
    }
    return text.toString();
  }
}
