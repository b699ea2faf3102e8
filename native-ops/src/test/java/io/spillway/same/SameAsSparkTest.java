package io.spillway.same;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.spillway.memory.ExecutorMemory;
import io.spillway.same.QueryFile.Query;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSession;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries over values that queries go wrong over: native against plain Spark, bit for bit. */
class SameAsSparkTest {
  private static final Pattern TABLE =
      Pattern.compile("(?:create table|insert into|alter table) (\\w+)");
  private static final Duration LONGEST = Duration.ofMinutes(3);

  @TempDir Path folder;

  @Test
  void shouldEqualSparkWhereItOnceDidNot() throws IOException {
    run("faults.sql", Map.of("spark.memory.offHeap.size", "16m"));
  }

  @ParameterizedTest(name = "{0}, adaptive {1}, {2}")
  @CsvSource({
    "expressions.sql, true, 256m",
    "aggregates.sql, true, 16m",
    "aggregates.sql, false, 256m",
    "joins.sql, true, 256m",
    "joins.sql, false, 16m",
    "order.sql, true, 256m",
    "order.sql, false, 16m",
    "windows.sql, true, 16m",
    "windows.sql, false, 256m",
    "scans.sql, true, 256m",
    "scans.sql, false, 16m"
  })
  @Tag("soak")
  void shouldEqualSparkWhenValuesAreNasty(String file, boolean adaptive, String offHeap)
      throws IOException {
    run(
        file,
        Map.of(
            "spark.memory.offHeap.size",
            offHeap,
            "spark.sql.adaptive.enabled",
            Boolean.toString(adaptive)));
  }

  private void run(String file, Map<String, String> settings) throws IOException {
    try (SparkSession spark = open(settings)) {
      SameAsSpark same = new SameAsSpark(spark);
      List<Query> queries = QueryFile.read("/same/" + file);
      for (Query table : QueryFile.read("/same/tables.sql")) {
        if (queries.stream().anyMatch(query -> query.sql().matches(reads(table)))) {
          same.setUp(table);
        }
      }
      Map<String, String> differences = new TreeMap<>();
      for (Query query : queries) {
        Optional<String> difference =
            assertTimeoutPreemptively(LONGEST, () -> same.difference(query), query::toString);
        difference.ifPresent(text -> differences.put(query.toString(), text));
      }
      assertThat(differences).as(file + " with " + settings).isEmpty();
      ExecutorMemory memory = ExecutorMemory.installed().orElseThrow();
      Awaitility.await("every native byte is given back")
          .untilAsserted(() -> assertThat(memory.snapshot().usedBytes()).isZero());
      assertThat(memory.snapshot().leakedBytes()).isZero();
    } finally {
      SparkSession.clearActiveSession();
      SparkSession.clearDefaultSession();
    }
  }

  /** What queries that read a table match. */
  private static String reads(Query table) {
    Matcher name = TABLE.matcher(table.sql());
    assertThat(name.lookingAt()).as(table.toString()).isTrue();
    return "(?s).*\\b" + name.group(1) + "\\b.*";
  }

  private SparkSession open(Map<String, String> settings) {
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[2,1]")
            .appName("same-as-spark")
            .config("spark.plugins", "io.spillway.SpillwayPlugin")
            .config("spark.memory.offHeap.enabled", "true")
            .config("spark.sql.shuffle.partitions", "3")
            .config("spark.driver.host", "localhost")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.parquet.datetimeRebaseModeInWrite", "CORRECTED")
            .config("spark.sql.parquet.int96RebaseModeInWrite", "CORRECTED")
            .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toString());
    settings.forEach(builder::config);
    return builder.getOrCreate();
  }
}
