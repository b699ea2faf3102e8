package io.spillway.tpch;

import io.spillway.chaos.ChaosAgent;
import io.spillway.chaos.PointStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.SparkSession;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * All queries of TPC-H, one after the other, in one Spark with Spillway's plugin and two task
 * slots. Whether the chaos agent is there is decided by the JVM's arguments; the benchmark checks
 * that it is as it should be.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Benchmark)
public class TpchPassBenchmark {
  /** What of the agent there is. */
  public enum Side {
    /** No agent. */
    NONE,
    /** The agent without a plan. */
    ATTACHED,
    /** The agent with a plan for every point; nothing matches. */
    ARMED
  }

  /** What of the agent there is. */
  @Param public Side side;

  /** TPC-H's scale factor. */
  @Param("0.1")
  public double scale;

  private SparkSession spark;
  private List<String> queries;

  /** Starts Spark; the first fork makes the tables. */
  @Setup
  public void start() throws IOException {
    Path data =
        TpchTables.directory(
            Path.of(System.getProperty("java.io.tmpdir")).resolveSibling("tpch"),
            Double.toString(scale));
    spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("pass")
            .config("spark.ui.enabled", false)
            .config("spark.plugins", "io.spillway.SpillwayPlugin")
            .config("spark.memory.offHeap.enabled", true)
            .config("spark.memory.offHeap.size", "512m")
            .config("spark.sql.shuffle.partitions", 4)
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.datetime.java8API.enabled", true)
            .config("spark.local.dir", System.getProperty("java.io.tmpdir"))
            .getOrCreate();
    if (!Files.exists(data)) {
      Path making = Files.createTempDirectory("tpch");
      Files.createDirectories(data.getParent());
      TpchTables.write(spark, making, scale);
      Files.move(making, data);
    }
    TpchTables.register(spark, data);
    queries = TpchQueries.numbers().stream().map(TpchQueries::text).toList();
  }

  /** Events of an iteration. */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Counters {
    /** Calls that came to the agent's points. */
    public long seamCalls;
  }

  /** One pass. */
  @Benchmark
  public void pass(Counters counters) {
    long before = reached();
    for (String query : queries) {
      var unused = spark.sql(query).collectAsList();
    }
    counters.seamCalls = reached() - before;
  }

  /** Stops Spark; an armed side that reached nothing has measured nothing. */
  @TearDown
  public void stop() {
    boolean armed = reached() > 0;
    spark.stop();
    if (armed != (side == Side.ARMED)) {
      throw new IllegalStateException(side + " ran with" + (armed ? "" : "out") + " an armed plan");
    }
  }

  private static long reached() {
    return ChaosAgent.current().stream()
        .flatMap(controller -> controller.points().stream())
        .mapToLong(PointStatus::reached)
        .sum();
  }
}
