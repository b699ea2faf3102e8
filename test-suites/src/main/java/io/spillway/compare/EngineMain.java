package io.spillway.compare;

import io.spillway.chaos.JobProperties;
import io.spillway.drill.ChildEvents;
import io.spillway.drill.ResultFile;
import io.spillway.drill.TaskRecorder;
import io.spillway.report.AttemptEnd;
import io.spillway.report.Json;
import io.spillway.tpch.TpchQueries;
import io.spillway.tpch.TpchTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import scala.collection.JavaConverters;

/**
 * Entry point of the JVM of one engine. {@code run FILE} runs the {@link EngineSpec} in the file;
 * {@code data DIR MAKING SCALE} makes the tables.
 */
public final class EngineMain {
  private static final long BUS_WAIT_MILLIS = 60_000;

  private final EngineSpec spec;
  private final ChildEvents events = ChildEvents.onStandardOutput();
  private final TaskRecorder recorder = new TaskRecorder();
  private final List<EngineOutcome.Query> queries = new ArrayList<>();

  private EngineMain(EngineSpec spec) {
    this.spec = spec;
  }

  /** Does what the first argument says; the failure of a query is part of the outcome. */
  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("data")) {
      data(Path.of(arguments[1]), Path.of(arguments[2]), Double.parseDouble(arguments[3]));
    } else {
      new EngineMain(Json.read(Path.of(arguments[1]), EngineSpec.class)).run();
    }
    // Threads of a library must not keep a finished JVM alive.
    System.exit(0);
  }

  private static void data(Path target, Path making, double scale) throws IOException {
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("spillway-compare data")
            .config("spark.ui.enabled", false)
            .config("spark.sql.datetime.java8API.enabled", true)
            .getOrCreate()) {
      TpchTables.write(spark, making, scale);
    }
    Files.createDirectories(target.toAbsolutePath().getParent());
    Files.move(making, target, StandardCopyOption.ATOMIC_MOVE);
  }

  private void run() throws Exception {
    SparkConf conf = new SparkConf();
    spec.conf().forEach(conf::set);
    events.progress("starting Spark");
    SparkContext context = new SparkContext(conf);
    try {
      context.addSparkListener(recorder);
      SparkSession spark = SparkSession.builder().config(conf).getOrCreate();
      TpchTables.register(spark, Path.of(spec.data()));
      for (int number : spec.queries()) {
        EngineOutcome.Query outcome = run(spark, number);
        queries.add(outcome);
        events.progress(told(outcome));
        context.listenerBus().waitUntilEmpty(BUS_WAIT_MILLIS);
        // After each query: of a driver that dies it is known what had run.
        write();
      }
    } finally {
      recorder.stopping();
      context.stop();
    }
    write();
  }

  private EngineOutcome.Query run(SparkSession spark, int number) throws Exception {
    String name = "tpch-" + number;
    SparkContext context = spark.sparkContext();
    context.listenerBus().waitUntilEmpty(BUS_WAIT_MILLIS);
    context.setLocalProperty(JobProperties.LABEL, name);
    context.setLocalProperty(JobProperties.STAGE_BASE, Integer.toString(recorder.nextStageId()));
    context.setJobDescription(name);
    long started = System.nanoTime();
    try {
      Dataset<Row> frame = spark.sql(TpchQueries.text(number));
      List<Row> rows = frame.collectAsList();
      double seconds = secondsSince(started);
      ResultFile.write(Path.of(spec.results(), name + ".jsonl"), frame.schema(), rows);
      return new EngineOutcome.Query(
          name, seconds, foreign(frame.queryExecution().executedPlan()), null);
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      // Spark throws checked exceptions that its Java signatures do not declare.
      return new EngineOutcome.Query(name, secondsSince(started), 0, firstLine(e));
    }
  }

  /** How much of the plan is not Spark's: none means that the engine was not there at all. */
  private static int foreign(SparkPlan plan) {
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      return foreign(adaptive.executedPlan());
    }
    if (plan instanceof QueryStageExec stage) {
      return foreign(stage.plan());
    }
    String type = plan.getClass().getName();
    int count = type.startsWith("io.spillway.") || plan.nodeName().startsWith("Comet") ? 1 : 0;
    for (SparkPlan child : JavaConverters.seqAsJavaList(plan.children())) {
      count += foreign(child);
    }
    return count;
  }

  private void write() throws IOException {
    Json.write(
        Path.of(spec.outcome()),
        new EngineOutcome(List.copyOf(queries), recorder.attempts(), recorder.lost()));
  }

  private static String told(EngineOutcome.Query query) {
    return String.format(
        Locale.ROOT,
        "%-8s %6.1f s%s",
        query.name(),
        query.seconds(),
        query.error() == null ? "" : "  failed: " + query.error());
  }

  private static String firstLine(Exception e) {
    String message = e.getMessage();
    return AttemptEnd.shortened(message == null || message.isBlank() ? e.toString() : message);
  }

  private static double secondsSince(long startedNanos) {
    return (System.nanoTime() - startedNanos) / 1e9;
  }
}
