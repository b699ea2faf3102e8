package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.streaming.StreamingQueryWrapper;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Streams over files: each batch's plan goes through Spillway, state stays Spark's. A stream can be
 * begun with Spillway and go on without, and the other way round.
 */
class StreamingTest {
  private static final String ENABLED = "spark.spillway.enabled";

  private static TestSession session;
  private static int batches;

  @TempDir static Path folder;

  @BeforeAll
  static void open() {
    session = TestSession.open(2, "64m", Map.of("spark.sql.shuffle.partitions", "2"));
    for (int batch = 0; batch < 3; batch++) {
      write();
    }
  }

  @AfterAll
  static void close() {
    session.close();
  }

  /** One file, and so one batch, more. */
  private static void write() {
    int batch = batches++;
    session
        .spark()
        .sql(
            """
            select id, (id * 7919) %% 37 as k, cast(id %% 11 as decimal(12, 2)) as d,
              if(id %% 13 = 0, null, concat('text number ', id %% 19)) as t,
              timestamp_seconds(id * 20) as at
            from range(%d, %d, 1, 1)
            """
                .formatted(batch * 1000, batch * 1000 + 1000))
        .write()
        .parquet(folder.resolve("all/batch=" + batch).toString());
  }

  private static Dataset<Row> source(boolean stream) {
    SparkSession spark = session.spark();
    String all = folder.resolve("all").toString();
    Dataset<Row> read = spark.read().parquet(all);
    return stream
        ? spark.readStream().schema(read.schema()).option("maxFilesPerTrigger", 1).parquet(all)
        : read;
  }

  private static void run(Dataset<Row> query, String mode, String checkpoint, Path out)
      throws Exception {
    VoidFunction2<Dataset<Row>, Long> write =
        (batch, id) -> batch.write().mode("append").parquet(out + "/" + id);
    StreamingQuery running =
        query
            .writeStream()
            .outputMode(mode)
            .option("checkpointLocation", checkpoint)
            .trigger(Trigger.AvailableNow())
            .foreachBatch(write)
            .start();
    running.awaitTermination();
    assertThat(running.exception().isEmpty()).as("the stream ended well").isTrue();
    String plan =
        ((StreamingQueryWrapper) running)
            .streamingQuery()
            .lastExecution()
            .executedPlan()
            .toString();
    assertThat(plan.contains("Spillway"))
        .as("a part of the plan is native: %s", plan)
        .isEqualTo(session.spark().conf().get(ENABLED, "true").equals("true"));
  }

  private static Dataset<Row> groups(Dataset<Row> rows) {
    return rows.groupBy("k").agg(Map.of("id", "sum", "d", "avg", "t", "max"));
  }

  @ParameterizedTest(name = "natively at first {0}, then {1}")
  @CsvSource({"true, true", "true, false", "false, true"})
  void shouldGoOnWithTheStateThatAnotherPlanLeft(boolean first, boolean then) throws Exception {
    String id = UUID.randomUUID().toString();
    Path out = folder.resolve("out-" + id);
    String checkpoint = folder.resolve("checkpoint-" + id).toString();
    SparkSession spark = session.spark();

    spark.conf().set(ENABLED, first);
    try {
      run(groups(source(true)), "complete", checkpoint, out);
      write();
      spark.conf().set(ENABLED, then);
      run(groups(source(true)), "complete", checkpoint, out);
    } finally {
      spark.conf().set(ENABLED, true);
    }

    Dataset<Row> last = spark.read().parquet(out + "/" + (batches - 1));
    Results.of(last).assertEquals(Results.of(groups(source(false))), "groups");
    session.assertNothingLeft();
  }

  @Test
  void shouldJoinAStreamToATableAndDropDuplicates() throws Exception {
    Path out = folder.resolve("joined");
    SparkSession spark = session.spark();
    Dataset<Row> names = spark.sql("select id as k, concat('name ', id) as name from range(30)");
    Dataset<Row> stream =
        source(true).withWatermark("at", "1 hour").join(names, "k").dropDuplicates("t", "name");
    Dataset<Row> expected = source(false).join(names, "k").select("t", "name").distinct();

    run(stream, "append", folder.resolve("checkpoint-joined").toString(), out);

    Dataset<Row> got = spark.read().option("recursiveFileLookup", "true").parquet(out.toString());
    Results.of(got.select("t", "name")).assertEquals(Results.of(expected), "joined");
    session.assertNothingLeft();
  }
}
