package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.plan.Explain;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters and projections with the value of a subquery in them. */
class SubqueryTest {
  @TempDir Path folder;

  /** Of two subqueries over one table Spark makes one, whose value is a structure. */
  private static final Pattern MERGED = Pattern.compile("JVM +Project \\(type struct<");

  private static final String[] QUERIES = {
    "select v from t where v > (select avg(v) from t)",
    "select v, (select max(s) from t) as most, d from t where d = (select max(d) from t)",
    "select v + (select min(v) from t where v > 1000) as none from t",
    "select k, sum(d) as total from t group by k having sum(d) > (select sum(d) * 0.1 from t)",
    "select v from t where s in ('a', (select min(s) from t)) or v < (select count(*) from t) - 90",
    "select (select first(b) from t where v = 3) as b, (select last(w) from t where v = 4) as w, v from t",
    "select k, (select max(v) from t) as m from t where k = (select min(k) from t where v > (select avg(v) from t))",
  };

  @ParameterizedTest(name = "adaptive: {0}")
  @ValueSource(booleans = {true, false})
  void shouldEqualSparkAndStayNativeWhenASubqueryGivesAValue(boolean adaptive) {
    Map<String, String> conf = Map.of("spark.sql.adaptive.enabled", Boolean.toString(adaptive));
    try (TestSession session = TestSession.open(2, "16m", conf)) {
      String path = folder.resolve("t").toString();
      session
          .spark()
          .sql(
              "select id as v, id % 7 as k, concat('s', id) as s, cast(id * 1.25 as decimal(12, 2)) as d,"
                  + " cast(id * 3.5 as decimal(30, 5)) as w, cast(id as boolean) as b from range(0, 100, 1, 3)")
          .write()
          .parquet(path);
      session.spark().read().parquet(path).createOrReplaceTempView("t");
      for (String query : QUERIES) {
        session.assertSameAsSpark(query);
        Dataset<Row> frame = session.spark().sql(query);
        assertThat(frame.collectAsList()).as(query).isNotEmpty();
        assertThat(Explain.of(frame).lines().map(String::strip))
            .as(query)
            .filteredOn(line -> line.startsWith("JVM"))
            .allMatch(line -> line.contains("Scan parquet") || MERGED.matcher(line).lookingAt());
      }
      session.assertNothingLeft();
    }
  }
}
