package io.spillway.plugin;

import com.codahale.metrics.MetricRegistry;
import io.spillway.kernel.Kernels;
import io.spillway.memory.ExecutorMemory;
import io.spillway.memory.MemoryGauges;
import io.spillway.memory.MemorySettings;
import io.spillway.memory.TaskReport;
import io.spillway.memory.event.JfrListener;
import io.spillway.memory.event.Listeners;
import io.spillway.memory.event.LoggingListener;
import io.spillway.memory.event.MemoryEventListener;
import io.spillway.memory.event.MetricsListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.TaskKilled;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An executor's side: gives each task its memory scope, and tells the driver the figures. Spark
 * calls the task methods on the tasks' threads and swallows what they throw.
 */
public final class SpillwayExecutorPlugin implements ExecutorPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(SpillwayExecutorPlugin.class);

  /** How long the last report waits for tasks that are being killed, so that it is true. */
  private static final Duration SETTLE = Duration.ofSeconds(3);

  private static final long POLL_NANOS = 5_000_000;

  private final AtomicLong sequence = new AtomicLong();
  private final Object closing = new Object();
  private PluginContext context;
  private ExecutorMemory memory;
  private SharedMemoryKeeper keeper;
  private Thread exitHook;
  private Duration shutdownWait;
  private boolean closed;

  @Override
  public void init(PluginContext pluginContext, Map<String, String> fromDriver) {
    Optional<MemorySettings> given = SpillwaySettings.fromDriver(fromDriver);
    if (given.isEmpty()) {
      return;
    }
    context = pluginContext;
    shutdownWait = SpillwaySettings.shutdownWaitFromDriver(fromDriver);
    MemorySettings settings = given.get().inExecutor(context.conf());
    String unavailable = Kernels.available() ? "" : Kernels.unavailableReason();
    if (unavailable.isEmpty()) {
      memory = new ExecutorMemory(settings, listeners(context.metricRegistry()));
      MemoryGauges.register(context.metricRegistry(), memory);
      ExecutorMemory.install(memory);
      keeper = new SharedMemoryKeeper(context, memory);
      // When the process is told to end while Spark is already calling shutdown(), Spark's own hook
      // does not wait for it and the last report would be cut off.
      exitHook = new Thread(this::close, "spillway-last-report");
      Runtime.getRuntime().addShutdownHook(exitHook);
    } else {
      LOG.error(
          "Native operators cannot run in executor {}: {}", context.executorID(), unavailable);
    }
    send(
        new ExecutorMessage.Ready(
            context.executorID(), settings.offHeapBytes(), settings.taskSlots(), unavailable));
  }

  private static MemoryEventListener listeners(MetricRegistry registry) {
    return new Listeners(
        List.of(new LoggingListener(), new MetricsListener(registry), new JfrListener()));
  }

  @Override
  public void onTaskStart() {
    if (memory != null) {
      memory.openTask(TaskContext.get());
    }
  }

  @Override
  public void onTaskSucceeded() {
    if (memory != null) {
      send(snapshot(peakBytes(memory.taskSucceeded()), false));
    }
  }

  @Override
  public void onTaskFailed(TaskFailedReason reason) {
    if (memory != null) {
      Optional<TaskReport> report = memory.taskFailed();
      send(snapshot(peakBytes(report), false));
      if (!(reason instanceof TaskKilled)) {
        report
            .flatMap(TaskReport::failure)
            .ifPresent(failure -> send(new ExecutorMessage.Failed(context.executorID(), failure)));
      }
    }
  }

  @Override
  public void shutdown() {
    close();
    removeExitHook();
  }

  /** Idempotent; whoever comes second waits until the first is done. */
  private void close() {
    synchronized (closing) {
      if (memory == null || closed) {
        return;
      }
      closed = true;
      keeper.close();
      settle();
      memory.close();
      askWithin(shutdownWait, snapshot(0, true));
    }
  }

  /**
   * Asked, not sent: the answer proves that it arrived before this process goes. On a thread of its
   * own, as Spark waits for an answer for minutes, and the driver for this report for less.
   */
  private void askWithin(Duration limit, ExecutorMessage last) {
    FutureTask<Object> asking = new FutureTask<>(() -> context.ask(last.toWire()));
    Thread thread = new Thread(asking, "spillway-ask-driver");
    thread.setDaemon(true);
    thread.start();
    try {
      asking.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.warn(
          "The driver did not answer to the last memory report of executor {} within {} ms ({})",
          context.executorID(),
          limit.toMillis(),
          SpillwaySettings.SHUTDOWN_WAIT);
    } catch (ExecutionException e) {
      LOG.warn(
          "The last memory report of executor {} did not arrive",
          context.executorID(),
          e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void settle() {
    long deadline = System.nanoTime() + SETTLE.toNanos();
    while (memory.snapshot().openTasks() > 0 && System.nanoTime() < deadline) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private void removeExitHook() {
    try {
      if (exitHook != null) {
        Runtime.getRuntime().removeShutdownHook(exitHook);
      }
    } catch (IllegalStateException e) {
      LOG.debug("The process is ending already; its hook finds nothing left to do", e);
    }
  }

  private static long peakBytes(Optional<TaskReport> report) {
    return report.map(TaskReport::peakBytes).orElse(0L);
  }

  private ExecutorMessage.Snapshot snapshot(long taskPeakBytes, boolean last) {
    return ExecutorMessage.Snapshot.of(
        context.executorID(), sequence.incrementAndGet(), memory.snapshot(), taskPeakBytes, last);
  }

  private void send(ExecutorMessage message) {
    try {
      context.send(message.toWire());
    } catch (Exception e) {
      LOG.warn("The driver did not take a message of executor {}", context.executorID(), e);
    }
  }
}
