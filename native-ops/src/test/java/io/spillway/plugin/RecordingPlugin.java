package io.spillway.plugin;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/** Another plugin of the same application. */
public final class RecordingPlugin implements SparkPlugin {
  static final AtomicInteger STARTED_TASKS = new AtomicInteger();

  @Override
  public DriverPlugin driverPlugin() {
    return new DriverPlugin() {
      @Override
      public Map<String, String> init(SparkContext context, PluginContext pluginContext) {
        return Map.of("other", "plugin");
      }
    };
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new ExecutorPlugin() {
      @Override
      public void onTaskStart() {
        STARTED_TASKS.incrementAndGet();
      }
    };
  }
}
