package io.spillway;

import io.spillway.plugin.SpillwayDriverPlugin;
import io.spillway.plugin.SpillwayExecutorPlugin;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Spillway's entry: {@code spark.plugins=io.spillway.SpillwayPlugin}. Needs Spark's own off-heap
 * memory ({@code spark.memory.offHeap.enabled} and {@code spark.memory.offHeap.size}); without it
 * one warning names both and every query runs as without the plugin.
 */
public final class SpillwayPlugin implements SparkPlugin {
  @Override
  public DriverPlugin driverPlugin() {
    return new SpillwayDriverPlugin();
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new SpillwayExecutorPlugin();
  }
}
