package io.spillway.testing.internal;

import io.spillway.testing.SpillwaySession;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * The Spark that a class's tests get.
 *
 * @param conf all settings but the master
 * @param allowedThreads beginnings of the names of threads that a job may leave
 */
record SessionSettings(String master, Map<String, String> conf, List<String> allowedThreads) {
  private static final String PLUGINS = "spark.plugins";
  private static final String SPILLWAY = "io.spillway.SpillwayPlugin";

  SessionSettings {
    conf = Map.copyOf(conf);
    allowedThreads = List.copyOf(allowedThreads);
  }

  /** Of a class, or of a class around it. */
  static SessionSettings of(Class<?> testClass) {
    for (Class<?> type = testClass; type != null; type = type.getEnclosingClass()) {
      Optional<SpillwaySession> found = Annotations.find(type, SpillwaySession.class);
      if (found.isPresent()) {
        return of(found.get());
      }
    }
    return of(Defaults.class.getAnnotation(SpillwaySession.class));
  }

  @SpillwaySession
  private static final class Defaults {}

  private static SessionSettings of(SpillwaySession session) {
    if (!session.master().startsWith("local") || session.master().startsWith("local-cluster")) {
      throw new ExtensionConfigurationException(
          "@SpillwaySession has the master '%s', and faults are injected into this JVM alone: take local[N,M]"
              .formatted(session.master()));
    }
    Map<String, String> conf = new TreeMap<>();
    conf.put("spark.app.name", "spillway-testing");
    conf.put("spark.ui.enabled", "false");
    conf.put("spark.driver.host", "localhost");
    conf.put("spark.driver.bindAddress", "127.0.0.1");
    // A JVM that was stopped for two minutes, at a breakpoint or with its machine, would be a lost
    // executor otherwise.
    conf.put("spark.network.timeout", "1h");
    // After a fetch that failed Spark takes the block manager of this JVM for lost, asks for it
    // with each heartbeat, cannot take it up in local mode, and ends the JVM at the 60th.
    conf.put("spark.executor.heartbeat.maxFailures", Integer.toString(Integer.MAX_VALUE));
    // Hundreds of injected failures must not take a kind of operator out of the plans.
    conf.put("spark.spillway.breaker.enabled", "false");
    // One for each JVM: a build may run several.
    conf.put(
        "spark.sql.warehouse.dir",
        "%s/warehouse-%d"
            .formatted(System.getProperty("java.io.tmpdir"), ProcessHandle.current().pid()));
    conf.put("spark.sql.shuffle.partitions", Integer.toString(session.shufflePartitions()));
    if (!session.offHeap().isEmpty()) {
      conf.put("spark.memory.offHeap.enabled", "true");
      conf.put("spark.memory.offHeap.size", session.offHeap());
    }
    for (String setting : session.conf()) {
      int equals = setting.indexOf('=');
      if (equals < 1) {
        throw new ExtensionConfigurationException(
            "@SpillwaySession has the setting '%s': it must be key=value".formatted(setting));
      }
      conf.put(setting.substring(0, equals).strip(), setting.substring(equals + 1).strip());
    }
    if (conf.containsKey("spark.master")) {
      throw new ExtensionConfigurationException(
          "@SpillwaySession has the setting 'spark.master': name it as master");
    }
    if (Arrays.stream(session.allowedThreads()).anyMatch(String::isBlank)) {
      throw new ExtensionConfigurationException(
          "@SpillwaySession allows threads whose names begin with nothing, so any thread: name the"
              + " beginning of those that the job may leave");
    }
    if (session.plugin()) {
      conf.merge(PLUGINS, SPILLWAY, (theirs, ours) -> theirs + "," + ours);
    }
    return new SessionSettings(session.master(), conf, Arrays.asList(session.allowedThreads()));
  }
}
