package io.spillway.drill;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether two results are the same: as a multiset of rows, or row by row where the query orders.
 * Floating-point columns agree to {@value #TOLERANCE} relative, everything else exactly.
 */
public final class ResultComparison {
  static final double TOLERANCE = 1e-9;

  private final List<ResultFile.Column> columns;

  private ResultComparison(List<ResultFile.Column> columns) {
    this.columns = columns;
  }

  /** The first difference found, in words, or nothing when the results are the same. */
  public static Optional<String> difference(
      ResultFile expected, ResultFile actual, boolean ordered) {
    if (!expected.columns().equals(actual.columns())) {
      return Optional.of(
          "columns are " + actual.columns() + " where " + expected.columns() + " were expected");
    }
    if (expected.rows().size() != actual.rows().size()) {
      return Optional.of(
          actual.rows().size() + " rows where " + expected.rows().size() + " were expected");
    }
    ResultComparison comparison = new ResultComparison(expected.columns());
    return ordered
        ? comparison.inOrder(expected.rows(), actual.rows())
        : comparison.asMultiset(expected.rows(), actual.rows());
  }

  private Optional<String> inOrder(List<List<String>> expected, List<List<String>> actual) {
    for (int i = 0; i < expected.size(); i++) {
      if (!same(expected.get(i), actual.get(i))) {
        return Optional.of(
            "row " + i + " is " + actual.get(i) + " where " + expected.get(i) + " was expected");
      }
    }
    return Optional.empty();
  }

  private Optional<String> asMultiset(List<List<String>> expected, List<List<String>> actual) {
    Map<List<String>, List<List<String>>> open = new HashMap<>();
    for (List<String> row : actual) {
      open.computeIfAbsent(exactPart(row), key -> new ArrayList<>()).add(row);
    }
    // Sorted alike, rows that differ by rounding only stand at the same place in both lists, so the
    // search for a partner ends at once even where the exact part of all rows is the same.
    Comparator<List<String>> byFloats = this::compareFloats;
    open.values().forEach(rows -> rows.sort(byFloats));
    List<List<String>> sorted = new ArrayList<>(expected);
    sorted.sort(byFloats);
    for (List<String> row : sorted) {
      List<List<String>> candidates = open.getOrDefault(exactPart(row), List.of());
      int found = indexOfSame(row, candidates);
      if (found < 0) {
        return Optional.of(
            "no row like " + row + (candidates.isEmpty() ? "" : "; nearest " + candidates.get(0)));
      }
      candidates.remove(found);
    }
    return Optional.empty();
  }

  private int indexOfSame(List<String> row, List<List<String>> candidates) {
    for (int i = 0; i < candidates.size(); i++) {
      if (same(row, candidates.get(i))) {
        return i;
      }
    }
    return -1;
  }

  private List<String> exactPart(List<String> row) {
    List<String> exact = new ArrayList<>(row.size());
    for (int i = 0; i < columns.size(); i++) {
      // A null must match a null only, so it stays in the exact part of a floating column.
      String value = row.get(i);
      exact.add(columns.get(i).isFloating() && value != null ? "" : value);
    }
    return exact;
  }

  private boolean same(List<String> left, List<String> right) {
    for (int i = 0; i < columns.size(); i++) {
      if (!sameValue(columns.get(i), left.get(i), right.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameValue(ResultFile.Column column, String left, String right) {
    if (left == null || right == null) {
      return left == null && right == null;
    }
    if (!column.isFloating()) {
      return left.equals(right);
    }
    double a = Double.parseDouble(left);
    double b = Double.parseDouble(right);
    if (Double.isNaN(a) || Double.isNaN(b)) {
      return Double.isNaN(a) && Double.isNaN(b);
    }
    if (Double.isInfinite(a) || Double.isInfinite(b)) {
      return a == b;
    }
    return Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
  }

  private int compareFloats(List<String> left, List<String> right) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).isFloating()) {
        int order = Double.compare(floatOf(left.get(i)), floatOf(right.get(i)));
        if (order != 0) {
          return order;
        }
      }
    }
    return 0;
  }

  private static double floatOf(String value) {
    return value == null ? Double.NEGATIVE_INFINITY : Double.parseDouble(value);
  }
}
