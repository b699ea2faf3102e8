package io.spillway.same;

import io.spillway.same.QueryFile.Mark;
import io.spillway.same.QueryFile.Query;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Runs a query on plain Spark and natively, in one session, and says how the two differ: in rows,
 * bit for bit, or in how they fail.
 */
final class SameAsSpark {
  private static final double RELATIVE = 1e-9;

  private final SparkSession spark;

  SameAsSpark(SparkSession spark) {
    this.spark = spark;
  }

  /** What a query came to. */
  private record Outcome(List<String> rows, Throwable failure, boolean hasNative) {}

  /** How the native run differs; empty if it does not. */
  Optional<String> difference(Query query) {
    Map<String, Optional<String>> before = new HashMap<>();
    query.settings().keySet().forEach(key -> before.put(key, setting(key)));
    query.settings().forEach(spark.conf()::set);
    try {
      Outcome expected = run(query, false);
      Outcome actual = run(query, true);
      return compare(query, expected, actual);
    } finally {
      before.forEach(this::restore);
    }
  }

  /** Runs a statement on plain Spark, for what it does. */
  void setUp(Query query) {
    spark.conf().set("spark.spillway.enabled", "false");
    try {
      spark.sql(query.sql()).collectAsList();
    } finally {
      spark.conf().set("spark.spillway.enabled", "true");
    }
  }

  private Optional<String> setting(String key) {
    scala.Option<String> value = spark.conf().getOption(key);
    return value.isDefined() ? Optional.of(value.get()) : Optional.empty();
  }

  private void restore(String key, Optional<String> value) {
    if (value.isPresent()) {
      spark.conf().set(key, value.get());
    } else {
      spark.conf().unset(key);
    }
  }

  private Outcome run(Query query, boolean natively) {
    spark.conf().set("spark.spillway.enabled", Boolean.toString(natively));
    try {
      Dataset<Row> frame = spark.sql(query.sql());
      List<String> rows = new ArrayList<>();
      for (Row row : frame.collectAsList()) {
        rows.add(text(row, query.marks().contains(Mark.SUMS)));
      }
      if (!query.marks().contains(Mark.ORDERED)) {
        rows.sort(null);
      }
      String plan = frame.queryExecution().executedPlan().toString();
      return new Outcome(rows, null, plan.contains("Spillway"));
    } catch (Exception | LinkageError | AssertionError e) {
      return new Outcome(List.of(), e, true);
    } finally {
      spark.conf().set("spark.spillway.enabled", "true");
    }
  }

  private static Optional<String> compare(Query query, Outcome expected, Outcome actual) {
    if (expected.failure() != null || actual.failure() != null) {
      String wanted = reason(expected.failure());
      String got = reason(actual.failure());
      return wanted.equals(got) && query.marks().contains(Mark.FAILS)
          ? Optional.empty()
          : Optional.of("Spark fails with " + wanted + ", Spillway with " + got);
    }
    if (!expected.rows().equals(actual.rows())) {
      return Optional.of(
          "Spark has "
              + expected.rows().size()
              + " rows, Spillway "
              + actual.rows().size()
              + "; Spark alone "
              + some(expected.rows(), actual.rows())
              + ", Spillway alone "
              + some(actual.rows(), expected.rows()));
    }
    if (!actual.hasNative() && !query.marks().contains(Mark.JVM)) {
      return Optional.of("nothing in the plan is native");
    }
    return Optional.empty();
  }

  private static List<String> some(List<String> rows, List<String> without) {
    List<String> left = new ArrayList<>(rows);
    for (String row : without) {
      left.remove(row);
    }
    if (left.isEmpty()) {
      for (int i = 0; i < rows.size() && i < without.size(); i++) {
        if (!rows.get(i).equals(without.get(i))) {
          return List.of("at " + i, rows.get(i));
        }
      }
    }
    return left.subList(0, Math.min(6, left.size()));
  }

  /** What went wrong first of all, without what differs from run to run. */
  private static String reason(Throwable failure) {
    if (failure == null) {
      return "nothing";
    }
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String message = String.valueOf(root.getMessage());
    int end = message.indexOf('\n');
    String line = end < 0 ? message : message.substring(0, end);
    return root.getClass().getName() + ": " + line.replaceAll("#\\d+L?", "#");
  }

  private static String text(Row row, boolean rounded) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      Object value = row.get(i);
      text.append(i == 0 ? "" : "|");
      if (value instanceof byte[] bytes) {
        text.append(Arrays.toString(bytes));
      } else if (rounded && value instanceof Double number) {
        text.append(rounded(number));
      } else {
        text.append(value);
      }
    }
    return text.toString();
  }

  /** To so many digits that what agrees to 1e-9 nearly always reads alike. */
  private static String rounded(double number) {
    return Double.isFinite(number) && number != 0
        ? String.format(Locale.ROOT, "%.6e", number * (1 + RELATIVE))
        : Double.toString(number);
  }
}
