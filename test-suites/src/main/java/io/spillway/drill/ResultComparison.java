package io.spillway.drill;

import java.util.ArrayList;
import java.util.BitSet;
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
    Map<List<String>, Candidates> open = new HashMap<>();
    for (List<String> row : actual) {
      open.computeIfAbsent(exactPart(row), key -> new Candidates()).rows.add(row);
    }
    // Sorted alike, rows that differ by rounding only stand at the same place in both lists, so the
    // search for a partner ends at once even where the exact part of all rows is the same.
    Comparator<List<String>> byFloats = this::compareFloats;
    open.values().forEach(candidates -> candidates.rows.sort(byFloats));
    List<List<String>> sorted = new ArrayList<>(expected);
    sorted.sort(byFloats);
    for (List<String> row : sorted) {
      Candidates candidates = open.getOrDefault(exactPart(row), new Candidates());
      if (!takeSame(row, candidates)) {
        return Optional.of("no row like " + row + candidates.nearest());
      }
    }
    return Optional.empty();
  }

  private boolean takeSame(List<String> row, Candidates candidates) {
    for (int i = candidates.free(0); i < candidates.rows.size(); i = candidates.free(i + 1)) {
      if (same(row, candidates.rows.get(i))) {
        candidates.take(i);
        return true;
      }
    }
    return false;
  }

  /** Rows with the same exact part, and which of them have a partner. */
  private static final class Candidates {
    private final List<List<String>> rows = new ArrayList<>();
    private final BitSet taken = new BitSet();

    /** All rows before this one are taken: usually every row's partner is the next. */
    private int firstFree;

    int free(int from) {
      return taken.nextClearBit(Math.max(from, firstFree));
    }

    void take(int row) {
      taken.set(row);
      firstFree = free(firstFree);
    }

    String nearest() {
      int next = free(0);
      return next < rows.size() ? "; nearest " + rows.get(next) : "";
    }
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
