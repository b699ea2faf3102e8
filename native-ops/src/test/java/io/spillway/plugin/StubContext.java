package io.spillway.plugin;

import com.codahale.metrics.MetricRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.SparkConf;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;

/** What Spark gives an executor's plugin, without a driver behind it. */
final class StubContext implements PluginContext {
  private final SparkConf conf;
  private final Callable<Object> driver;
  private final MetricRegistry registry = new MetricRegistry();
  private final List<ExecutorMessage> sent = new CopyOnWriteArrayList<>();

  /**
   * @param conf the executor's own
   * @param driver what asking comes to
   */
  StubContext(SparkConf conf, Callable<Object> driver) {
    this.conf = conf;
    this.driver = driver;
  }

  /** What was sent and not asked. */
  List<ExecutorMessage> sent() {
    return sent;
  }

  @Override
  public MetricRegistry metricRegistry() {
    return registry;
  }

  @Override
  public SparkConf conf() {
    return conf;
  }

  @Override
  public String executorID() {
    return "7";
  }

  @Override
  public String hostname() {
    return "here";
  }

  @Override
  public Map<String, ResourceInformation> resources() {
    return Map.of();
  }

  @Override
  public void send(Object message) {
    sent.add(ExecutorMessage.parse(message));
  }

  @Override
  public Object ask(Object message) throws Exception {
    return driver.call();
  }
}
