package io.spillway.plugin;

import com.codahale.metrics.Gauge;
import io.spillway.kernel.Kernels;
import io.spillway.plan.Installation;
import io.spillway.plan.KindGate;
import io.spillway.plan.SpillwayCachedBatchSerializer;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.sql.execution.columnar.InMemoryRelation$;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.util.Properties;

/**
 * The driver's side: installs the planner's rules if native operators can run at all, and keeps the
 * cluster's picture. Spark calls it: {@code init} and {@code shutdown} once each, {@code receive}
 * on one thread of its own.
 */
public final class SpillwayDriverPlugin implements DriverPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(SpillwayDriverPlugin.class);
  private static final String EXTENSIONS = "spark.sql.extensions";
  private static final String LISTENERS = "spark.sql.queryExecutionListeners";
  private static final String CACHE_SERIALIZER = "spark.sql.cache.serializer";

  private final ClusterMemory cluster = new ClusterMemory();
  private final ExecutorsWithoutKernels withoutKernels = new ExecutorsWithoutKernels();
  private final RunningQueries queries = new RunningQueries();
  private SpillwaySettings settings;
  private StageOutcomes outcomes;

  /**
   * Runs before any session exists, so what sessions need is added to the application's
   * configuration; what the user put there stays.
   *
   * @return the resolved settings for executors; empty if Spillway stays off
   * @throws IllegalArgumentException if a setting has a wrong value; the application does not start
   */
  @Override
  public Map<String, String> init(SparkContext context, PluginContext pluginContext) {
    Installation.stop();
    // Before anything that needs classes of this very version.
    Optional<String> foreign =
        SparkVersions.problem(context.version(), Properties.versionNumberString());
    if (foreign.isPresent()) {
      return off(foreign.get());
    }
    SparkConf conf = context.conf();
    SpillwaySettings resolved = SpillwaySettings.of(conf);
    UnknownSettings.in(conf).forEach(LOG::warn);
    Optional<String> missing = SpillwaySettings.missing(conf);
    if (missing.isEmpty() && !Kernels.available()) {
      missing = Optional.of(Kernels.unavailableReason());
    }
    if (missing.isPresent()) {
      return off(missing.get());
    }
    settings = resolved;
    append(conf, EXTENSIONS, SpillwayExtensions.class.getName());
    append(conf, LISTENERS, QuerySummaryListener.class.getName());
    conf.setIfMissing(CACHE_SERIALIZER, SpillwayCachedBatchSerializer.class.getName());
    forgetCacheSerializer();
    context.addSparkListener(new LostExecutors(cluster, withoutKernels));
    context.addSparkListener(queries);
    ClusterMemory.publish(cluster);
    Installation.start(gate(context, pluginContext));
    LOG.info(
        "Spillway is on: {} bytes of off-heap memory and {} task slots an executor",
        resolved.memory().offHeapBytes(),
        resolved.memory().taskSlots());
    return resolved.forExecutors();
  }

  private static Map<String, String> off(String reason) {
    LOG.warn("Spillway is off and everything stays on the JVM: {}", reason);
    return Map.of();
  }

  /**
   * Takes an executor's message.
   *
   * @return {@code "ok"}, or what was asked for: only asked messages want an answer, and Spark
   *     drops others' answers
   * @throws IllegalArgumentException if the message is not known; Spark sends it to whoever asked
   */
  @Override
  public Object receive(Object message) {
    ExecutorMessage parsed = ExecutorMessage.parse(message);
    if (parsed instanceof ExecutorMessage.Snapshot snapshot) {
      cluster.received(snapshot);
      return snapshot.report().last() ? "ok" : null;
    }
    if (parsed instanceof ExecutorMessage.Queries asked) {
      return queries.endedOf(asked.ids());
    }
    if (parsed instanceof ExecutorMessage.Failed failed) {
      outcomes.failed(failed.failure());
      return null;
    }
    ready((ExecutorMessage.Ready) parsed);
    return null;
  }

  private KindGate gate(SparkContext context, PluginContext pluginContext) {
    KindBreakers breakers = new KindBreakers(settings.breaker(), Clock.systemUTC());
    outcomes = new StageOutcomes(breakers);
    context.addSparkListener(outcomes);
    Gauge<Long> notClosed = breakers::notClosed;
    pluginContext.metricRegistry().register("breaker.notClosed", notClosed);
    return new ClusterGate(withoutKernels, breakers);
  }

  private void ready(ExecutorMessage.Ready ready) {
    if (ready.unavailable().isEmpty()) {
      cluster.ready(ready.executorId());
      LOG.info(
          "Executor {} is ready: {} bytes of off-heap memory, {} task slots",
          ready.executorId(),
          ready.limitBytes(),
          ready.taskSlots());
    } else {
      // It has no native memory to report of, so its last report is not waited for.
      withoutKernels.add(ready.executorId(), ready.unavailable());
      LOG.error(
          "Executor {} cannot run native operators, so queries that are planned while it lives stay"
              + " on the JVM, and tasks of others fail there: {}",
          ready.executorId(),
          ready.unavailable());
    }
  }

  /**
   * Waits for the executors' last reports. When Spark calls it the executors have been told to stop
   * and this process still takes messages.
   */
  @Override
  public void shutdown() {
    if (settings == null) {
      return;
    }
    Installation.stop();
    forgetCacheSerializer();
    List<String> missing = cluster.awaitLast(Duration.ofMillis(settings.shutdownWaitMillis()));
    if (!missing.isEmpty()) {
      LOG.warn(
          "No last memory report within {} ms ({}) from executor {}",
          settings.shutdownWaitMillis(),
          SpillwaySettings.SHUTDOWN_WAIT,
          String.join(", ", missing));
    }
  }

  /** A JVM keeps the first one for good, whatever a later application has set. */
  private static void forgetCacheSerializer() {
    InMemoryRelation$.MODULE$.clearSerializer();
  }

  private static void append(SparkConf conf, String key, String className) {
    List<String> names = new ArrayList<>();
    for (String name : conf.get(key, "").split(",", -1)) {
      if (!name.isBlank()) {
        names.add(name.trim());
      }
    }
    if (!names.contains(className)) {
      names.add(className);
    }
    conf.set(key, String.join(",", names));
  }

  /** An executor that was removed sends nothing any more. */
  private static final class LostExecutors extends SparkListener {
    private final ClusterMemory cluster;
    private final ExecutorsWithoutKernels withoutKernels;

    LostExecutors(ClusterMemory cluster, ExecutorsWithoutKernels withoutKernels) {
      this.cluster = cluster;
      this.withoutKernels = withoutKernels;
    }

    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
      cluster.lost(removed.executorId());
      withoutKernels.lost(removed.executorId());
    }
  }
}
