package io.spillway.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.drill.FileTrees;
import io.spillway.drill.PassConf;
import io.spillway.drill.ProjectLayout;
import io.spillway.drill.SparkHome;
import io.spillway.report.Json;
import io.spillway.resilience.process.ProcessCase;
import io.spillway.resilience.process.ProcessJob;
import io.spillway.resilience.process.ProcessOutcome;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * An application with executors in processes of their own, started by {@code spark-submit} with the
 * plugin's jar in {@code --jars} and the agent's jar in the executors' options, as a user gives
 * them. The test closes it; then no process of it is left.
 */
final class ClusterProcess implements AutoCloseable {
  private static final int TASK_SLOTS = 2;
  private static final long LONGEST_MINUTES = 6;
  private static final Duration FIRED_WAIT = Duration.ofMinutes(3);

  private final Path work;
  private final Process process;
  private final long startedNanos = System.nanoTime();

  private ClusterProcess(Path work, Process process) {
    this.work = work;
    this.process = process;
  }

  /** Where and how an application is to run. */
  static final class Setup {
    private final Path work;
    private final ProcessCase job;
    private final Map<String, String> conf = new LinkedHashMap<>();
    private final List<String> wrapper = new ArrayList<>();
    private String plan;
    private long seed;
    private int seconds;

    Setup(Path work, ProcessCase job) {
      this.work = work;
      this.job = job;
      conf.put("spark.app.name", job.name());
      conf.put("spark.plugins", "io.spillway.SpillwayPlugin");
      conf.put("spark.memory.offHeap.enabled", "true");
      conf.put("spark.memory.offHeap.size", "1m");
      conf.put("spark.executor.cores", "1");
      conf.put("spark.executor.memory", "512m");
      conf.put("spark.cores.max", Integer.toString(TASK_SLOTS));
      conf.put("spark.scheduler.minRegisteredResourcesRatio", "1.0");
      conf.put("spark.scheduler.maxRegisteredResourcesWaitingTime", "120s");
      conf.put("spark.local.dir", work.resolve("local").toString());
      conf.put("spark.sql.warehouse.dir", work.resolve("warehouse").toString());
      conf.put("spark.sql.shuffle.partitions", "4");
      conf.put("spark.sql.adaptive.coalescePartitions.enabled", "false");
      conf.put("spark.sql.autoBroadcastJoinThreshold", "-1");
      conf.put("spark.ui.enabled", "false");
      conf.put("spark.driver.host", "127.0.0.1");
      conf.put("spark.driver.bindAddress", "127.0.0.1");
    }

    /** Adds or changes a setting of Spark's. */
    Setup conf(String key, String value) {
      conf.put(key, value);
      return this;
    }

    /** The agent's plan; without one it is there and does nothing. */
    Setup plan(String yaml) {
      plan = yaml;
      return this;
    }

    /** For what is random in the job, and how long it repeats what it repeats. */
    Setup random(long randomSeed, int repeatSeconds) {
      seed = randomSeed;
      seconds = repeatSeconds;
      return this;
    }

    /** A command that runs the driver's JVM, which are its last arguments. */
    Setup wrapper(String... command) {
      wrapper.addAll(List.of(command));
      return this;
    }

    ClusterProcess start() throws IOException {
      ProjectLayout layout = ProjectLayout.at(Path.of(System.getProperty("spillway.home")));
      Path out = Files.createDirectories(work.resolve("out"));
      Files.createDirectories(work.resolve("local"));
      Files.createDirectories(work.resolve("tmp"));
      String agent = "-javaagent:" + layout.agentJar() + "=out=" + out;
      if (plan != null) {
        agent += ",plan=" + Files.writeString(work.resolve("plan.yaml"), plan);
      }
      conf.put("spark.executor.extraJavaOptions", "-XX:TieredStopAtLevel=1 " + agent);
      SparkHome home = SparkHome.create(work.resolve("spark"), layout.sparkJars());
      List<String> command = new ArrayList<>(wrapper);
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of(PassConf.moduleOptions()));
      command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
      command.add("-Djava.io.tmpdir=" + work.resolve("tmp"));
      command.addAll(List.of("-cp", home.classPath(awaitility(layout))));
      command.add("org.apache.spark.deploy.SparkSubmit");
      command.addAll(List.of("--master", "local-cluster[" + TASK_SLOTS + ",1,1024]"));
      command.addAll(List.of("--jars", layout.pluginJar().toString()));
      conf.forEach((key, value) -> command.addAll(List.of("--conf", key + "=" + value)));
      command.addAll(List.of("--class", ProcessJob.class.getName(), jobJar().toString()));
      command.add(job.name());
      command.add(work.resolve("outcome.json").toString());
      command.addAll(List.of(Long.toString(seed), Integer.toString(seconds)));
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(work.toFile())
              .redirectErrorStream(true)
              .redirectOutput(work.resolve("log").toFile());
      builder.environment().putAll(home.environment());
      builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
      // It would win over the directory of this test.
      builder.environment().remove("SPARK_LOCAL_DIRS");
      return new ClusterProcess(work, builder.start());
    }

    /** The job's own package, as its author would pack it. */
    private Path jobJar() throws IOException {
      Path classes =
          Path.of(System.getProperty("spillway.home"), "test-suites", "target", "test-classes");
      Path jar = work.resolve("job.jar");
      Path folder = classes.resolve(ProcessJob.class.getPackageName().replace('.', '/'));
      try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
          Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
          Files.copy(file, out);
          out.closeEntry();
        }
      }
      return jar;
    }

    private static List<Path> awaitility(ProjectLayout layout) {
      return layout.drillJars().stream()
          .filter(jar -> jar.getFileName().toString().matches("(awaitility|hamcrest)-.*"))
          .toList();
    }
  }

  /**
   * An executor in which a fault has fired.
   *
   * @param executor Spark's id
   */
  record Fired(String executor, ProcessHandle handle) {}

  /**
   * Waits until the agent of an executor has written down a fault: its process is in the middle.
   */
  Fired awaitFired() throws IOException {
    Awaitility.await("a fault in an executor")
        .atMost(FIRED_WAIT)
        .failFast("the application has ended", () -> !process.isAlive())
        .until(() -> fired().isPresent());
    return fired().orElseThrow();
  }

  private Optional<Fired> fired() throws IOException {
    try (Stream<Path> files = Files.list(work.resolve("out"))) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.startsWith("fired-")) {
          List<String> lines = Files.readAllLines(file);
          if (!lines.isEmpty()) {
            JsonNode fault = Json.LINES.readTree(lines.get(0));
            long pid = Long.parseLong(name.replaceAll("\\D", ""));
            return Optional.of(
                new Fired(fault.get("executor").asText(), ProcessHandle.of(pid).orElseThrow()));
          }
        }
      }
      return Optional.empty();
    }
  }

  /** Waits for the application's end, which must be an orderly one. */
  ProcessOutcome end() throws IOException, InterruptedException {
    assertThat(process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES))
        .as(() -> "the application ends:\n" + log())
        .isTrue();
    assertThat(process.exitValue()).as(this::log).isZero();
    return Json.read(work.resolve("outcome.json"), ProcessOutcome.class);
  }

  /** Seconds since it was started. */
  double seconds() {
    return (System.nanoTime() - startedNanos) / 1e9;
  }

  /** The end of what driver and executors have said. */
  String log() {
    try {
      List<String> lines = new ArrayList<>(Files.readAllLines(work.resolve("log")));
      try (Stream<Path> files = Files.walk(work.resolve("spark"))) {
        for (Path file : files.filter(one -> one.endsWith("stderr")).toList()) {
          lines.add(file.toString());
          lines.addAll(tail(Files.readAllLines(file)));
        }
      }
      return String.join("\n", lines);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static List<String> tail(List<String> lines) {
    return lines.subList(Math.max(0, lines.size() - 60), lines.size());
  }

  @Override
  public void close() throws IOException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().onExit().join();
    // JUnit warns of each link that it finds when it removes the folder.
    FileTrees.remove(work.resolve("spark" + File.separator + "jars"));
  }
}
