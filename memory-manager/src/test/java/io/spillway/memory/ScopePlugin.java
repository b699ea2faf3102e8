package io.spillway.memory;

import io.spillway.memory.event.LoggingListener;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/** The least that a plugin must do for the memory manager, in the order in which Spark calls it. */
public final class ScopePlugin implements SparkPlugin {
  static final List<TaskReport> SUCCEEDED = new CopyOnWriteArrayList<>();
  static final List<TaskReport> FAILED = new CopyOnWriteArrayList<>();

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
    public void init(PluginContext context, Map<String, String> extraConf) {
      memory = new ExecutorMemory(MemorySettings.fromConf(context.conf()), new LoggingListener());
      ExecutorMemory.install(memory);
    }

    @Override
    public void onTaskStart() {
      memory.openTask(TaskContext.get());
    }

    @Override
    public void onTaskSucceeded() {
      memory.taskSucceeded().ifPresent(SUCCEEDED::add);
    }

    @Override
    public void onTaskFailed(TaskFailedReason reason) {
      memory.taskFailed().ifPresent(FAILED::add);
    }

    @Override
    public void shutdown() {
      memory.close();
    }
  }
}
