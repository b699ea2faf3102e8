package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** A query's rows as a multiset; floating-point values agree to 1e-9 relative. */
final class Results {
  private static final double RELATIVE = 1e-9;

  private final List<Object[]> rows;

  private Results(List<Object[]> rows) {
    this.rows = rows;
  }

  static Results of(Dataset<Row> query) {
    List<Object[]> rows = new ArrayList<>();
    for (Row row : query.collectAsList()) {
      Object[] values = new Object[row.size()];
      for (int i = 0; i < values.length; i++) {
        Object value = row.get(i);
        values[i] = value instanceof byte[] bytes ? Arrays.toString(bytes) : value;
      }
      rows.add(values);
    }
    // Floats do not order the rows, as they may differ in their last digits.
    rows.sort(
        Comparator.comparing((Object[] row) -> exactPart(row))
            .thenComparing(row -> Arrays.toString(row)));
    return new Results(rows);
  }

  private static String exactPart(Object[] row) {
    StringBuilder text = new StringBuilder();
    for (Object value : row) {
      text.append(value instanceof Double || value instanceof Float ? "" : value).append('|');
    }
    return text.toString();
  }

  int size() {
    return rows.size();
  }

  void assertEquals(Results expected, String what) {
    assertThat(rows).as("rows of: %s", what).hasSameSizeAs(expected.rows);
    for (int i = 0; i < rows.size(); i++) {
      Object[] actual = rows.get(i);
      Object[] wanted = expected.rows.get(i);
      boolean same = actual.length == wanted.length;
      for (int j = 0; same && j < actual.length; j++) {
        same = same(actual[j], wanted[j]);
      }
      if (!same) {
        assertThat(actual).as("row %d of: %s", i, what).containsExactly(wanted);
      }
    }
  }

  private static boolean same(Object actual, Object wanted) {
    if (actual instanceof Double a && wanted instanceof Double b) {
      return a.equals(b) || Math.abs(a - b) <= RELATIVE * Math.max(Math.abs(a), Math.abs(b));
    }
    if (actual instanceof Float a && wanted instanceof Float b) {
      return a.equals(b) || Math.abs(a - b) <= RELATIVE * Math.max(Math.abs(a), Math.abs(b));
    }
    return actual == null ? wanted == null : actual.equals(wanted);
  }
}
