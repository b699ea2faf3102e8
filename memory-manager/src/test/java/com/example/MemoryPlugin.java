package com.example;

import io.spillway.memory.ExecutorMemory;
import io.spillway.memory.MemorySettings;
import io.spillway.memory.event.LoggingListener;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/** Opens a scope of native memory for each task, and closes it. */
public final class MemoryPlugin implements SparkPlugin {
  @Override
  public DriverPlugin driverPlugin() {
    return null;
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new Scopes();
  }

  private static final class Scopes implements ExecutorPlugin {
    private ExecutorMemory memory;

    @Override
    public void init(PluginContext context, Map<String, String> fromDriver) {
      MemorySettings settings = MemorySettings.fromConf(context.conf());
      if (settings.offHeapBytes() == 0) {
        throw new IllegalStateException(
            "set spark.memory.offHeap.enabled=true and spark.memory.offHeap.size");
      }
      memory = new ExecutorMemory(settings, new LoggingListener());
      ExecutorMemory.install(memory);
    }

    @Override
    public void onTaskStart() {
      memory.openTask(TaskContext.get());
    }

    @Override
    public void onTaskSucceeded() {
      memory.taskSucceeded();
    }

    @Override
    public void onTaskFailed(TaskFailedReason reason) {
      memory.taskFailed();
    }

    @Override
    public void shutdown() {
      // Spark calls this too when init has failed.
      if (memory != null) {
        memory.close();
      }
    }
  }
}
