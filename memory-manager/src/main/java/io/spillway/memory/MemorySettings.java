package io.spillway.memory;

import io.spillway.memory.guard.GuardSettings;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.apache.spark.network.util.JavaUtils;

/**
 * How native memory is managed. Resolved once on the driver, handed to executors as a map.
 * Immutable.
 */
public final class MemorySettings implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Unit in which operators reserve memory with Spark; 0 derives it from the task's share. */
  public static final String QUANTUM = "spark.spillway.memory.quantum";

  /** The least that a stateful operator works with. */
  public static final String MIN_OPERATOR = "spark.spillway.memory.minOperator";

  /** How often a refused request waits for other tasks. */
  public static final String WAIT_ATTEMPTS = "spark.spillway.memory.waitAttempts";

  /** The first of these waits; later ones are longer, up to a second. */
  public static final String WAIT_INITIAL = "spark.spillway.memory.waitInitial";

  /** What a leak of an attempt that succeeded does. */
  public static final String ON_LEAK = "spark.spillway.memory.onLeak";

  /** Whether each allocation remembers where it was made. */
  public static final String ALLOCATION_SITES = "spark.spillway.memory.allocationSites";

  /** Whether the executor keeps away from its container's limit. */
  public static final String GUARD_ENABLED = "spark.spillway.memory.guard.enabled";

  /** Fraction of the container's limit above which tasks spill and may not grow. */
  public static final String GUARD_HIGH = "spark.spillway.memory.guard.high";

  /** Fraction of the container's limit below which they may grow again. */
  public static final String GUARD_LOW = "spark.spillway.memory.guard.low";

  /** How often the container is looked at. */
  public static final String GUARD_INTERVAL = "spark.spillway.memory.guard.intervalMillis";

  static final String OFF_HEAP_BYTES = "spark.spillway.memory.resolved.offHeapBytes";
  static final String TASK_SLOTS = "spark.spillway.memory.resolved.taskSlots";

  private static final Pattern LOCAL = Pattern.compile("local\\[\\s*([0-9]+|\\*)\\s*(?:,.*)?\\]");
  private static final Pattern LOCAL_CLUSTER =
      Pattern.compile("local-cluster\\[\\s*[0-9]+\\s*,\\s*([0-9]+)\\s*,.*\\]");

  private static final List<Setting> TABLE =
      List.of(
          new Setting(
              QUANTUM,
              "0",
              "Unit in which operators reserve memory with Spark; 0 derives it from the task's"
                  + " share (4 KiB to 1 MiB)."),
          new Setting(
              MIN_OPERATOR,
              "128k",
              "What a stateful operator acquires when it opens, and keeps; it fails there if that"
                  + " cannot be had."),
          new Setting(
              WAIT_ATTEMPTS,
              "10",
              "How often a refused request waits for the executor's other tasks to spill."),
          new Setting(
              WAIT_INITIAL,
              "10ms",
              "The first of these waits; each later one is about twice as long, up to a second."),
          new Setting(
              ON_LEAK,
              "log",
              "What native memory that a successful task left live does: log an error, or fail the"
                  + " task. It is freed in any case."),
          new Setting(
              ALLOCATION_SITES,
              "false",
              "Remember where each block was allocated, and name it when one leaks. Slow."),
          new Setting(
              GUARD_ENABLED,
              "true",
              "Whether the executor keeps away from its container's memory limit (cgroup v1 or v2)."
                  + " Without a limit there is nothing to guard."),
          new Setting(
              GUARD_HIGH,
              "0.92",
              "Fraction of the container's limit above which all tasks are asked to spill and"
                  + " growth is refused."),
          new Setting(
              GUARD_LOW,
              "0.85",
              "Fraction of the container's limit below which growth is allowed again."),
          new Setting(
              GUARD_INTERVAL,
              "100",
              "Milliseconds between two looks at the container. Tasks that grow near the limit look"
                  + " themselves."));

  /** What a leak does, beside being freed and reported. */
  public enum OnLeak {
    /** An error in the log. */
    LOG,
    /** The task fails. */
    FAIL
  }

  /**
   * One row of the table of settings.
   *
   * @param key as in Spark's configuration
   * @param defaultValue when it is not set
   * @param meaning in a sentence
   */
  public record Setting(String key, String defaultValue, String meaning) {}

  private final long quantumBytes;
  private final long minOperatorBytes;
  private final int waitAttempts;
  private final long waitInitialMillis;
  private final OnLeak onLeak;
  private final boolean allocationSites;
  private final long offHeapBytes;
  private final int taskSlots;
  private final GuardSettings guard;

  private MemorySettings(Map<String, String> values) {
    quantumBytes = bytes(values, QUANTUM, 0);
    minOperatorBytes = bytes(values, MIN_OPERATOR, 4096);
    waitAttempts = (int) number(values, WAIT_ATTEMPTS, 0, 1000);
    waitInitialMillis = millis(values, WAIT_INITIAL);
    onLeak = onLeak(values.get(ON_LEAK));
    allocationSites = flag(values, ALLOCATION_SITES);
    offHeapBytes = number(values, OFF_HEAP_BYTES, 0, Long.MAX_VALUE);
    taskSlots = (int) number(values, TASK_SLOTS, 1, Integer.MAX_VALUE);
    guard = guard(values);
  }

  /**
   * Resolves the settings.
   *
   * @param conf of the application
   * @return the settings, defaults filled in
   * @throws IllegalArgumentException if one has a wrong value; the message names it
   */
  public static MemorySettings fromConf(SparkConf conf) {
    Map<String, String> values = new HashMap<>();
    for (Setting setting : TABLE) {
      values.put(setting.key(), conf.get(setting.key(), setting.defaultValue()));
    }
    boolean offHeap = conf.getBoolean("spark.memory.offHeap.enabled", false);
    long offHeapBytes = offHeap ? conf.getSizeAsBytes("spark.memory.offHeap.size", "0") : 0;
    values.put(OFF_HEAP_BYTES, Long.toString(offHeapBytes));
    values.put(TASK_SLOTS, Integer.toString(taskSlots(conf)));
    return new MemorySettings(values);
  }

  /**
   * What {@link #toMap} made.
   *
   * @param map string values by key; a key that is missing has its default
   * @return the same settings
   * @throws IllegalArgumentException if one has a wrong value; the message names it
   */
  public static MemorySettings fromMap(Map<String, String> map) {
    Map<String, String> values = new HashMap<>();
    for (Setting setting : TABLE) {
      values.put(setting.key(), setting.defaultValue());
    }
    values.put(OFF_HEAP_BYTES, "0");
    values.put(TASK_SLOTS, "1");
    values.putAll(map);
    return new MemorySettings(values);
  }

  /** These settings as strings, for the way from the driver to an executor. */
  public Map<String, String> toMap() {
    Map<String, String> values = new HashMap<>();
    values.put(QUANTUM, Long.toString(quantumBytes));
    values.put(MIN_OPERATOR, Long.toString(minOperatorBytes));
    values.put(WAIT_ATTEMPTS, Integer.toString(waitAttempts));
    values.put(WAIT_INITIAL, waitInitialMillis + "ms");
    values.put(ON_LEAK, onLeak.name().toLowerCase(Locale.ROOT));
    values.put(ALLOCATION_SITES, Boolean.toString(allocationSites));
    values.put(GUARD_ENABLED, Boolean.toString(guard.enabled()));
    values.put(GUARD_HIGH, Double.toString(guard.high()));
    values.put(GUARD_LOW, Double.toString(guard.low()));
    values.put(GUARD_INTERVAL, Long.toString(guard.intervalMillis()));
    values.put(OFF_HEAP_BYTES, Long.toString(offHeapBytes));
    values.put(TASK_SLOTS, Integer.toString(taskSlots));
    return values;
  }

  /** Every setting, in the order of the documentation. */
  public static List<Setting> table() {
    return TABLE;
  }

  /** Unit of reserving with Spark in bytes, or 0 to derive it. */
  public long quantumBytes() {
    return quantumBytes;
  }

  /** The least that a stateful operator works with, in bytes. */
  public long minOperatorBytes() {
    return minOperatorBytes;
  }

  /** How often a refused request waits for other tasks; 0 never waits. */
  public int waitAttempts() {
    return waitAttempts;
  }

  /** The first wait, in milliseconds. */
  public long waitInitialMillis() {
    return waitInitialMillis;
  }

  /** What a leak does. */
  public OnLeak onLeak() {
    return onLeak;
  }

  /** Whether each allocation remembers where it was made. */
  public boolean allocationSites() {
    return allocationSites;
  }

  /** How the executor keeps away from its container's limit. */
  public GuardSettings guard() {
    return guard;
  }

  /** Spark's off-heap memory of one executor in bytes, 0 if it is off. */
  public long offHeapBytes() {
    return offHeapBytes;
  }

  /** Tasks that run at once on one executor. */
  public int taskSlots() {
    return taskSlots;
  }

  private static int taskSlots(SparkConf conf) {
    int cpus = Math.max(1, conf.getInt("spark.task.cpus", 1));
    return Math.max(1, executorCores(conf) / cpus);
  }

  private static int executorCores(SparkConf conf) {
    String master = conf.get("spark.master", "local");
    Matcher local = LOCAL.matcher(master);
    if (local.matches()) {
      return local.group(1).equals("*")
          ? Runtime.getRuntime().availableProcessors()
          : Integer.parseInt(local.group(1));
    }
    Matcher cluster = LOCAL_CLUSTER.matcher(master);
    if (cluster.matches()) {
      return conf.getInt("spark.executor.cores", Integer.parseInt(cluster.group(1)));
    }
    // A standalone executor without the setting takes every core of its worker; elsewhere it is 1.
    int unset = master.startsWith("spark://") ? Runtime.getRuntime().availableProcessors() : 1;
    return conf.getInt("spark.executor.cores", unset);
  }

  private static long bytes(Map<String, String> values, String key, long least) {
    String value = values.get(key);
    try {
      long bytes = JavaUtils.byteStringAsBytes(value);
      if (bytes >= least) {
        return bytes;
      }
    } catch (NumberFormatException e) {
      throw wrong(key, value, "a size in bytes such as 128k", e);
    }
    throw wrong(key, value, "a size of at least " + least + " bytes", null);
  }

  private static long millis(Map<String, String> values, String key) {
    String value = values.get(key);
    try {
      long millis = JavaUtils.timeStringAsMs(value);
      if (millis >= 1 && millis <= 60_000) {
        return millis;
      }
    } catch (NumberFormatException e) {
      throw wrong(key, value, "a time such as 10ms", e);
    }
    throw wrong(key, value, "a time from 1ms to 60s", null);
  }

  private static long number(Map<String, String> values, String key, long least, long most) {
    String value = values.get(key);
    try {
      long number = Long.parseLong(value.trim());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw wrong(key, value, "a whole number", e);
    }
    throw wrong(key, value, "a whole number from " + least + " to " + most, null);
  }

  private static GuardSettings guard(Map<String, String> values) {
    double high = fraction(values, GUARD_HIGH);
    double low = fraction(values, GUARD_LOW);
    if (low >= high) {
      throw wrong(GUARD_LOW, values.get(GUARD_LOW), "below " + GUARD_HIGH + "=" + high, null);
    }
    return new GuardSettings(
        flag(values, GUARD_ENABLED), high, low, number(values, GUARD_INTERVAL, 1, 60_000));
  }

  private static double fraction(Map<String, String> values, String key) {
    String value = values.get(key);
    try {
      double fraction = Double.parseDouble(value.trim());
      if (fraction > 0 && fraction < 1) {
        return fraction;
      }
    } catch (NumberFormatException e) {
      throw wrong(key, value, "a fraction such as 0.9", e);
    }
    throw wrong(key, value, "a fraction above 0 and below 1", null);
  }

  private static boolean flag(Map<String, String> values, String key) {
    String value = values.get(key).trim();
    if (value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false")) {
      return value.equalsIgnoreCase("true");
    }
    throw wrong(key, value, "true or false", null);
  }

  private static OnLeak onLeak(String value) {
    for (OnLeak choice : OnLeak.values()) {
      if (choice.name().equalsIgnoreCase(value.trim())) {
        return choice;
      }
    }
    throw wrong(ON_LEAK, value, "log or fail", null);
  }

  private static IllegalArgumentException wrong(
      String key, String value, String expected, NumberFormatException cause) {
    return new IllegalArgumentException(
        key + " must be " + expected + ", but it is '" + value + "'", cause);
  }
}
