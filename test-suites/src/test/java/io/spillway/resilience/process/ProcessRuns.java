package io.spillway.resilience.process;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Runs queries and writes down how each went. Thread-safe. */
final class ProcessRuns {
  /** By this name the chaos agent knows a query. */
  static final String LABEL = "spillway.chaos.label";

  private static final int MOST_CAUSES = 10;

  private final SparkSession spark;
  private final List<ProcessOutcome.Run> runs = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  ProcessRuns(SparkSession spark) {
    this.spark = spark;
  }

  SparkSession spark() {
    return spark;
  }

  ProcessOutcome.Run run(String label, GroupTotals totals) {
    return run(label, totals, totals.query(spark));
  }

  /** Runs a query on the calling thread; its failure is an outcome, too. */
  ProcessOutcome.Run run(String label, GroupTotals totals, Dataset<Row> query) {
    spark.sparkContext().setLocalProperty(LABEL, label);
    long startedNanos = System.nanoTime();
    String wrong = "";
    List<String> error = List.of();
    try {
      wrong = totals.difference(query.collectAsList());
    } catch (Exception e) {
      // Spark throws checked exceptions that its Java signatures do not declare.
      error = chain(e);
    }
    ProcessOutcome.Run run =
        new ProcessOutcome.Run(label, wrong, error, (System.nanoTime() - startedNanos) / 1_000_000);
    synchronized (this) {
      runs.add(run);
    }
    return run;
  }

  synchronized void note(String text) {
    notes.add(text);
  }

  synchronized List<ProcessOutcome.Run> all() {
    return List.copyOf(runs);
  }

  synchronized List<String> notes() {
    return List.copyOf(notes);
  }

  private static List<String> chain(Throwable failure) {
    List<String> chain = new ArrayList<>();
    for (Throwable cause = failure;
        cause != null && chain.size() < MOST_CAUSES;
        cause = cause.getCause()) {
      chain.add(cause.toString());
    }
    return chain;
  }
}
