package io.spillway.compare;

import io.spillway.chaos.FaultPlan;
import io.spillway.drill.MasterUrl;
import java.math.BigDecimal;
import java.util.List;

/**
 * What a comparison was asked to do, checked.
 *
 * @param engines at least one, each once
 * @param scale TPC-H scale factor
 * @param memoryBytes off-heap memory of each executor
 * @param plan the faults
 * @param master where Spark runs
 */
record ComparisonOptions(
    List<Engine> engines, BigDecimal scale, long memoryBytes, FaultPlan plan, MasterUrl master) {
  /** What the agents are told they run in. */
  static final String ENVIRONMENT = "compare";

  static final int DRIVER_HEAP_MIB = 1536;
}
