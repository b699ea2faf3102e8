package io.spillway.memory;

import io.spillway.memory.guard.GuardSettings;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.SparkConf;

/**
 * How native memory is managed. Resolved once on the driver, handed to executors as a map; sizes
 * are each executor's own. Immutable.
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

  /** For how long one request waits for other tasks at most, all its attempts together. */
  public static final String WAIT_TOTAL = "spark.spillway.memory.waitTotal";

  /** How often a batch that finds no memory is halved at most. */
  public static final String SPLIT_DEPTH = "spark.spillway.memory.splitDepth";

  /** For how long a task's end waits for threads that still use its memory. */
  public static final String HELPER_WAIT = "spark.spillway.memory.helperWait";

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
  static final String STORAGE_FRACTION = "spark.spillway.memory.resolved.storageFraction";

  /** Spark's own default. */
  private static final String DEFAULT_STORAGE_FRACTION = "0.5";

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
              "How often a refused request waits for the executor's other tasks to spill before"
                  + " less is done at once or others give way; 0 never waits."),
          new Setting(
              WAIT_INITIAL,
              "10ms",
              "The first of these waits; each later one is about twice as long, up to a second."),
          new Setting(
              WAIT_TOTAL,
              "30s",
              "How long a request waits for other tasks at most, if the task would fail"
                  + " otherwise."),
          new Setting(
              SPLIT_DEPTH,
              "31",
              "How often a batch that finds no memory is halved at most; 31 ends at one row, 0"
                  + " never splits."),
          new Setting(
              HELPER_WAIT,
              "10s",
              "How long the end of a task waits for a thread that still uses its memory, before it"
                  + " interrupts it and once more afterwards. Then the memory is quarantined until"
                  + " the thread is done."),
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
  private final long waitTotalMillis;
  private final int splitDepth;
  private final long helperWaitMillis;
  private final OnLeak onLeak;
  private final boolean allocationSites;
  private final long offHeapBytes;
  private final int taskSlots;
  private final double storageFraction;
  private final GuardSettings guard;

  private MemorySettings(Map<String, String> map) {
    SettingValues values = new SettingValues(map);
    quantumBytes = values.bytes(QUANTUM, 0);
    minOperatorBytes = values.bytes(MIN_OPERATOR, 4096);
    waitAttempts = (int) values.number(WAIT_ATTEMPTS, 0, 1000);
    waitInitialMillis = values.millis(WAIT_INITIAL, 1, 60_000);
    waitTotalMillis = values.millis(WAIT_TOTAL, 0, 3_600_000);
    splitDepth = (int) values.number(SPLIT_DEPTH, 0, 31);
    helperWaitMillis = values.millis(HELPER_WAIT, 0, 600_000);
    onLeak = values.choice(ON_LEAK, OnLeak.class);
    allocationSites = values.flag(ALLOCATION_SITES);
    offHeapBytes = values.number(OFF_HEAP_BYTES, 0, Long.MAX_VALUE);
    taskSlots = (int) values.number(TASK_SLOTS, 1, Integer.MAX_VALUE);
    storageFraction = Double.parseDouble(map.get(STORAGE_FRACTION));
    guard = guard(values);
  }

  private static GuardSettings guard(SettingValues values) {
    double high = values.fraction(GUARD_HIGH);
    double low = values.fraction(GUARD_LOW);
    if (low >= high) {
      throw values.wrong(GUARD_LOW, "below " + GUARD_HIGH + "=" + high, null);
    }
    return new GuardSettings(
        values.flag(GUARD_ENABLED), high, low, values.number(GUARD_INTERVAL, 1, 60_000));
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
    putSizes(values, conf);
    return new MemorySettings(values);
  }

  private static void putSizes(Map<String, String> values, SparkConf conf) {
    boolean offHeap = conf.getBoolean("spark.memory.offHeap.enabled", false);
    long offHeapBytes = offHeap ? conf.getSizeAsBytes("spark.memory.offHeap.size", "0") : 0;
    values.put(OFF_HEAP_BYTES, Long.toString(offHeapBytes));
    values.put(TASK_SLOTS, Integer.toString(TaskSlots.of(conf)));
    // Spark checks it itself.
    values.put(
        STORAGE_FRACTION, conf.get("spark.memory.storageFraction", DEFAULT_STORAGE_FRACTION));
  }

  /**
   * These settings in an executor whose sizes are not those that the driver knows: a resource
   * profile gives it memory and cores of its own, and without {@code spark.executor.cores} it has
   * those of its own machine. Called there.
   *
   * @param executorConf the executor's own
   * @return the same but for off-heap memory and task slots
   */
  public MemorySettings inExecutor(SparkConf executorConf) {
    Map<String, String> values = toMap();
    putSizes(values, executorConf);
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
    values.put(STORAGE_FRACTION, DEFAULT_STORAGE_FRACTION);
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
    values.put(WAIT_TOTAL, waitTotalMillis + "ms");
    values.put(SPLIT_DEPTH, Integer.toString(splitDepth));
    values.put(HELPER_WAIT, helperWaitMillis + "ms");
    values.put(ON_LEAK, onLeak.name().toLowerCase(Locale.ROOT));
    values.put(ALLOCATION_SITES, Boolean.toString(allocationSites));
    values.put(GUARD_ENABLED, Boolean.toString(guard.enabled()));
    values.put(GUARD_HIGH, Double.toString(guard.high()));
    values.put(GUARD_LOW, Double.toString(guard.low()));
    values.put(GUARD_INTERVAL, Long.toString(guard.intervalMillis()));
    values.put(OFF_HEAP_BYTES, Long.toString(offHeapBytes));
    values.put(TASK_SLOTS, Integer.toString(taskSlots));
    values.put(STORAGE_FRACTION, Double.toString(storageFraction));
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

  /** How long one request waits for other tasks at most, in milliseconds. */
  public long waitTotalMillis() {
    return waitTotalMillis;
  }

  /** How often a batch is halved at most. */
  public int splitDepth() {
    return splitDepth;
  }

  /** How long a task's end waits for threads that use its memory, in milliseconds, twice. */
  public long helperWaitMillis() {
    return helperWaitMillis;
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

  /** The part of that memory that storage keeps when tasks want it, in bytes. */
  long offHeapStorageBytes() {
    return (long) (offHeapBytes * storageFraction);
  }

  /** Tasks that run at once on one executor. */
  public int taskSlots() {
    return taskSlots;
  }
}
