package io.spillway.drill;

import io.spillway.chaos.JobProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs every query of the drill once, in order, on one Spark application. Used by one thread. */
final class PassRunner {
  private static final Logger LOG = LoggerFactory.getLogger(PassRunner.class);

  private static final long BUS_WAIT_MILLIS = TimeUnit.SECONDS.toMillis(60);

  private final PassSpec spec;
  private final DrillData data;
  private final ChildEvents events;
  private final TaskRecorder recorder = new TaskRecorder();

  PassRunner(PassSpec spec, ChildEvents events) {
    this.spec = spec;
    this.data = new DrillData(Path.of(spec.data()), new BigDecimal(spec.scale()));
    this.events = events;
  }

  /** Starts Spark, runs the queries, stops Spark and waits for the last ledgers. */
  PassOutcome run() {
    events.progress("starting Spark");
    SparkConf conf = new SparkConf();
    spec.conf().forEach(conf::set);
    List<PassOutcome.Query> queries = new ArrayList<>();
    SparkContext context = new SparkContext(conf);
    try {
      context.addSparkListener(recorder);
      SparkSession spark = SparkSession.builder().config(conf).getOrCreate();
      awaitExecutors(spark);
      DrillQueries.register(spark, data);
      for (DrillQuery query : DrillQueries.all()) {
        PassOutcome.Query outcome = run(spark, query);
        queries.add(outcome);
        events.progress(told(outcome));
      }
      drainListeners(context);
    } finally {
      recorder.stopping();
      context.stop();
    }
    List<PassOutcome.Ledger> ledgers = spec.spillway() ? SpillwayFigures.ledgers() : List.of();
    return new PassOutcome(
        queries, recorder.attempts(), recorder.lost(), ledgers, ledgersMissing(ledgers));
  }

  /** The first job waits until the executors are there: no query's time should hold that. */
  private void awaitExecutors(SparkSession spark) {
    mark(spark, "start");
    spark.range(DrillQueries.PARTITIONS).count();
  }

  private PassOutcome.Query run(SparkSession spark, DrillQuery query) {
    String error = null;
    if (query.prepare() != null) {
      mark(spark, query.name() + "/prepare");
      try {
        query.prepare().run(spark, data);
      } catch (Exception e) {
        // Spark throws checked exceptions that its Java signatures do not declare.
        error = told(query.name() + " could not be prepared", e);
      }
    }
    int stageBase = mark(spark, query.name());
    if (spec.spillway()) {
      // What the preparation's tasks needed is not the query's.
      SpillwayFigures.takeTaskPeakBytes();
    }
    PassOutcome.Plan plan = PassOutcome.Plan.PLAIN;
    long started = System.nanoTime();
    double seconds = 0;
    if (error == null) {
      try {
        Dataset<Row> frame = query.frame().apply(spark, data);
        List<Row> rows = frame.collectAsList();
        seconds = secondsSince(started);
        ResultFile.write(resultFile(query.name()), frame.schema(), rows);
        if (spec.spillway()) {
          plan = SpillwayFigures.plan(frame);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (Exception e) {
        seconds = secondsSince(started);
        error = told(query.name() + " failed", e);
      }
    }
    drainListeners(spark.sparkContext());
    long bytesLeft = 0;
    if (spec.spillway()) {
      bytesLeft = SpillwayFigures.bytesLeft();
      plan = plan.withPeak(SpillwayFigures.takeTaskPeakBytes());
    }
    return new PassOutcome.Query(
        query.name(), seconds, stageBase, recorder.nextStageId(), plan, bytesLeft, error);
  }

  private Path resultFile(String query) {
    return Path.of(spec.results(), query + ".jsonl");
  }

  /** Names what runs next for the chaos agent. Answers the id of the first stage it can use. */
  private int mark(SparkSession spark, String label) {
    SparkContext context = spark.sparkContext();
    drainListeners(context);
    int stageBase = recorder.nextStageId();
    context.setLocalProperty(JobProperties.LABEL, label);
    context.setLocalProperty(JobProperties.STAGE_BASE, Integer.toString(stageBase));
    context.setJobDescription(label);
    return stageBase;
  }

  private static void drainListeners(SparkContext context) {
    try {
      context.listenerBus().waitUntilEmpty(BUS_WAIT_MILLIS);
    } catch (TimeoutException e) {
      throw new DrillException(
          "Spark's listener bus did not deliver its events within "
              + TimeUnit.MILLISECONDS.toSeconds(BUS_WAIT_MILLIS)
              + " s",
          e);
    }
  }

  private List<String> ledgersMissing(List<PassOutcome.Ledger> ledgers) {
    if (!spec.spillway()) {
      return List.of();
    }
    Set<String> missing = recorder.executors();
    for (PassOutcome.Ledger ledger : ledgers) {
      if (ledger.last()) {
        missing.remove(ledger.executor());
      }
    }
    return List.copyOf(missing);
  }

  private static String told(PassOutcome.Query query) {
    return String.format(
        Locale.ROOT,
        "%-12s %6.1f s%s",
        query.name(),
        query.seconds(),
        query.error() == null ? "" : "  failed: " + query.error());
  }

  private static String told(String what, Exception e) {
    LOG.error("{}", what, e);
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    return message.strip().lines().findFirst().orElse(e.toString());
  }

  private static double secondsSince(long startedNanos) {
    return (System.nanoTime() - startedNanos) / 1e9;
  }
}
