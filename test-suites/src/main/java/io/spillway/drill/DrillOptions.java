package io.spillway.drill;

import io.spillway.chaos.FaultPlan;
import io.spillway.report.ByteSize;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * What a drill was asked to do, checked.
 *
 * @param scale TPC-H scale factor; transactions are 10,000,000 times it
 * @param memoryBytes off-heap memory of one executor in passes 2 and 3, in bytes
 * @param plan the faults of pass 3, with the seed that decides them
 * @param seed that seed
 * @param master where Spark runs
 * @param keep whether work files outlive the drill
 */
public record DrillOptions(
    BigDecimal scale, long memoryBytes, FaultPlan plan, long seed, MasterUrl master, boolean keep) {

  /** What the agents are told they run in. */
  static final String ENVIRONMENT = "drill";

  static final BigDecimal LEAST_SCALE = new BigDecimal("0.001");
  static final BigDecimal MOST_SCALE = BigDecimal.TEN;

  /** Below this Spark's own operators, whose pages are at least 1 MiB, leave nothing for ours. */
  static final long LEAST_MEMORY_BYTES = 2L << 20;

  static final long MOST_MEMORY_BYTES = 1L << 40;

  /** The plan that lies beside a command's class. */
  public static FaultPlan planBeside(Class<?> command, String name) throws IOException {
    try (InputStream in = command.getResourceAsStream(name)) {
      if (in == null) {
        throw new DrillException("the drill's jar lacks " + name);
      }
      return FaultPlan.parse(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /**
   * The plan, if it may be armed.
   *
   * @param environment what the agents are told they run in
   * @throws UsageException if the plan is for another one
   */
  public static FaultPlan armable(FaultPlan plan, String environment) {
    if (plan.environment().isPresent() && !plan.environment().get().equals(environment)) {
      throw new UsageException(
          "--plan: the plan is for the environment '%s'; this arms plans for '%s' or for none"
              .formatted(plan.environment().get(), environment));
    }
    return plan;
  }

  /** Reads {@code --scale}. */
  public static BigDecimal scale(String text) {
    BigDecimal scale;
    try {
      scale = new BigDecimal(text.strip()).stripTrailingZeros();
    } catch (NumberFormatException e) {
      throw new UsageException("--scale: '" + text + "' is not a number");
    }
    if (scale.compareTo(LEAST_SCALE) < 0
        || scale.compareTo(MOST_SCALE) > 0
        || scale.scale() > LEAST_SCALE.scale()) {
      throw new UsageException(
          "--scale: '"
              + text
              + "' must be from "
              + LEAST_SCALE
              + " to "
              + MOST_SCALE
              + " in steps of "
              + LEAST_SCALE);
    }
    return scale;
  }

  /** Reads {@code --memory}. */
  public static long memoryBytes(String text) {
    long bytes;
    try {
      bytes = ByteSize.parseBytes(text);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new UsageException("--memory: '" + text + "' is not a size such as 4m or 512k");
    }
    if (bytes < LEAST_MEMORY_BYTES || bytes > MOST_MEMORY_BYTES) {
      throw new UsageException(
          "--memory: '"
              + text
              + "' must be from "
              + ByteSize.format(LEAST_MEMORY_BYTES)
              + " to "
              + ByteSize.format(MOST_MEMORY_BYTES)
              + " of off-heap memory for each executor");
    }
    return bytes;
  }
}
