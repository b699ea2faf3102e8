package io.spillway.same;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * SQL statements with what is said of them in comment lines above each: {@code -- set key=value}
 * for a setting of the session, or one of the {@link Mark}s. A statement ends with a semicolon at a
 * line's end.
 */
final class QueryFile {
  /** What a statement is, or how its result is compared. */
  enum Mark {
    /** Runs once, on plain Spark, before the queries. */
    SETUP,
    /** Its rows have an order that the query says in full. */
    ORDERED,
    /** Sums of floating-point numbers, which depend on the order of the rows. */
    SUMS,
    /** It fails, in the same way on both. */
    FAILS,
    /** Nothing in its plan need be native. */
    JVM
  }

  /**
   * A statement.
   *
   * @param line where it begins in its file
   */
  record Query(String sql, Map<String, String> settings, Set<Mark> marks, int line) {
    @Override
    public String toString() {
      return "line " + line + ": " + sql.strip().replaceAll("\\s+", " ");
    }
  }

  private QueryFile() {}

  static List<Query> read(String resource) throws IOException {
    try (InputStream in = QueryFile.class.getResourceAsStream(resource)) {
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  static List<Query> parse(String text) {
    List<Query> queries = new ArrayList<>();
    Map<String, String> settings = new TreeMap<>();
    Set<Mark> marks = EnumSet.noneOf(Mark.class);
    StringBuilder sql = new StringBuilder();
    int number = 0;
    int first = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (sql.isEmpty() && line.startsWith("-- set ")) {
        String[] pair = line.substring("-- set ".length()).split("=", 2);
        settings.put(pair[0].strip(), pair[1].strip());
      } else if (sql.isEmpty() && line.startsWith("-- is ")) {
        marks.add(Mark.valueOf(line.substring("-- is ".length()).strip().toUpperCase(Locale.ROOT)));
      } else if (!line.isBlank() && !line.startsWith("--")) {
        first = sql.isEmpty() ? number : first;
        sql.append(line).append('\n');
        if (line.stripTrailing().endsWith(";")) {
          String statement = sql.toString().stripTrailing();
          queries.add(
              new Query(
                  statement.substring(0, statement.length() - 1),
                  Map.copyOf(settings),
                  Set.copyOf(marks),
                  first));
          settings.clear();
          marks.clear();
          sql.setLength(0);
        }
      }
    }
    if (!sql.isEmpty()) {
      throw new IllegalArgumentException("line " + first + ": no semicolon ends " + sql);
    }
    return queries;
  }
}
