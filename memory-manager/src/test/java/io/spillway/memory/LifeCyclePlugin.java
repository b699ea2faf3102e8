package io.spillway.memory;

import io.spillway.memory.event.LoggingListener;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/** Writes down in which order Spark calls what at the end of a task, and what is left then. */
public final class LifeCyclePlugin implements SparkPlugin {
  static final List<String> CALLS = new CopyOnWriteArrayList<>();
  static final List<TaskReport> REPORTS = new CopyOnWriteArrayList<>();
  static volatile boolean startFails;

  @Override
  public DriverPlugin driverPlugin() {
    return null;
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new Recorder();
  }

  /** A call, and whether Spark, the scope and this thread still know the task. */
  static void record(String call) {
    ExecutorMemory memory = ExecutorMemory.installed().orElseThrow();
    CALLS.add(
        call
            + (TaskContext.get() == null ? ", no context" : ", context")
            + (SparkEnv.get().memoryManager().offHeapExecutionMemoryUsed() == 0
                ? ", Spark empty"
                : ", Spark holds")
            + (memory.openTasks() == 0 ? ", scope closed" : ", scope open")
            + (memory.ofCurrentThread().isPresent() ? ", its thread" : ", a thread"));
  }

  private static final class Recorder implements ExecutorPlugin {
    private ExecutorMemory memory;

    @Override
    public void init(PluginContext context, Map<String, String> extraConf) {
      memory = new ExecutorMemory(MemorySettings.fromConf(context.conf()), new LoggingListener());
      ExecutorMemory.install(memory);
    }

    @Override
    public void onTaskStart() {
      if (startFails) {
        CALLS.add("onTaskStart throws");
        throw new IllegalStateException("onTaskStart, says the test");
      }
      memory.openTask(TaskContext.get());
      record("onTaskStart");
    }

    @Override
    public void onTaskSucceeded() {
      record("onTaskSucceeded");
      memory.taskSucceeded().ifPresent(REPORTS::add);
    }

    @Override
    public void onTaskFailed(TaskFailedReason reason) {
      record("onTaskFailed");
      memory.taskFailed().ifPresent(REPORTS::add);
    }

    @Override
    public void shutdown() {
      memory.close();
    }
  }
}
