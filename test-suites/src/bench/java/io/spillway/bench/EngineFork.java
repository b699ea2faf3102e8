package io.spillway.bench;

import com.sun.management.OperatingSystemMXBean;
import io.spillway.drill.ResultFile;
import io.spillway.report.Json;
import io.spillway.tpch.TpchTables;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Entry point of the JVM of one engine. {@code run FILE} runs the {@link EngineSpec} in the file;
 * {@code tpch DIR SCALE} and {@code micro DIR SCALE} make tables.
 */
public final class EngineFork {
  private static final long BUS_WAIT_MILLIS = 60_000;
  private static final double MIB = 1 << 20;

  private final SparkSession spark;
  private final EngineSpec spec;
  private final OperatingSystemMXBean process =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final LongAdder spilledBytes = new LongAdder();

  private EngineFork(SparkSession spark, EngineSpec spec) {
    this.spark = spark;
    this.spec = spec;
  }

  private record Run(double seconds, double cpuSeconds) {}

  /** Does what the first argument says; the failure of a workload is part of the outcome. */
  public static void main(String[] arguments) throws IOException {
    switch (arguments[0]) {
      case "run" -> run(Json.read(Path.of(arguments[1]), EngineSpec.class));
      case "tpch" -> {
        try (SparkSession spark = maker()) {
          TpchTables.write(spark, Path.of(arguments[1]), Double.parseDouble(arguments[2]));
        }
      }
      case "micro" -> {
        try (SparkSession spark = maker()) {
          MicroTables.write(spark, Path.of(arguments[1]), Double.parseDouble(arguments[2]));
        }
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    // Threads of a library must not keep a finished JVM alive.
    System.exit(0);
  }

  private static SparkSession maker() {
    return SparkSession.builder()
        .master("local[2]")
        .appName("spillway-bench data")
        .config("spark.ui.enabled", false)
        .config("spark.sql.datetime.java8API.enabled", true)
        .getOrCreate();
  }

  private static void run(EngineSpec spec) throws IOException {
    SparkConf conf = new SparkConf();
    spec.conf().forEach(conf::set);
    try (SparkSession spark = SparkSession.builder().config(conf).getOrCreate()) {
      TpchTables.register(spark, Path.of(spec.tpch()));
      MicroTables.register(spark, Path.of(spec.micro()));
      EngineFork fork = new EngineFork(spark, spec);
      spark.sparkContext().addSparkListener(fork.listener());
      List<EngineSpec.Measured> measured = new ArrayList<>();
      for (Workload workload : Workload.all()) {
        if (spec.workloads().contains(workload.name())) {
          measured.add(fork.measure(workload));
        }
      }
      Json.write(Path.of(spec.outcome()), new EngineSpec.Outcome(measured, peakResidentMib()));
    }
  }

  private SparkListener listener() {
    return new SparkListener() {
      @Override
      public void onTaskEnd(SparkListenerTaskEnd end) {
        if (end.taskMetrics() != null) {
          spilledBytes.add(end.taskMetrics().diskBytesSpilled());
        }
      }
    };
  }

  private EngineSpec.Measured measure(Workload workload) throws IOException {
    spilledBytes.reset();
    List<Run> runs = new ArrayList<>();
    try {
      for (int i = 0; i < spec.warmups(); i++) {
        var unused = workload.frame(spark).collectAsList();
      }
      for (int i = 0; i < spec.runs(); i++) {
        runs.add(timed(workload, i == 0));
      }
      spark.sparkContext().listenerBus().waitUntilEmpty(BUS_WAIT_MILLIS);
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      // Spark throws checked exceptions that its Java signatures do not declare.
      return new EngineSpec.Measured(
          workload.name(), 0, 0, 0, String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
    runs.sort(Comparator.comparingDouble(Run::seconds));
    Run median = runs.get(runs.size() / 2);
    return new EngineSpec.Measured(
        workload.name(), median.seconds(), median.cpuSeconds(), spilledBytes.sum() / MIB, null);
  }

  private Run timed(Workload workload, boolean write) throws IOException {
    long cpuNanos = process.getProcessCpuTime();
    long started = System.nanoTime();
    Dataset<Row> frame = workload.frame(spark);
    List<Row> rows = frame.collectAsList();
    Run run =
        new Run(
            (System.nanoTime() - started) / 1e9, (process.getProcessCpuTime() - cpuNanos) / 1e9);
    if (write) {
      ResultFile.write(Path.of(spec.results(), workload.name() + ".jsonl"), frame.schema(), rows);
    }
    return run;
  }

  private static double peakResidentMib() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmHWM:")) {
        return Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024;
      }
    }
    return 0;
  }
}
