package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kryo that refuses every class that nobody has registered: what runs on plain Spark then runs
 * natively, without a class of Spillway's being registered.
 */
class RegisteredKryoTest {
  /** What plain Spark wants to have registered for it. */
  private static final List<String> FOR_CACHES_ON_DISK =
      List.of(
          "org.apache.spark.sql.execution.columnar.DefaultCachedBatch",
          "[[B",
          "org.apache.spark.sql.catalyst.expressions.GenericInternalRow",
          "org.apache.spark.unsafe.types.UTF8String");

  private static TestSession session;

  @TempDir static Path folder;

  @BeforeAll
  static void open() {
    session =
        TestSession.open(
            2,
            "64m",
            Map.of(
                "spark.serializer",
                "org.apache.spark.serializer.KryoSerializer",
                "spark.kryo.registrationRequired",
                "true",
                "spark.kryo.classesToRegister",
                String.join(",", FOR_CACHES_ON_DISK)));
    session.makeTexts(folder);
  }

  @AfterAll
  static void close() {
    session.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select t, count(*), sum(id), max(k) from t group by t",
        "select /*+ broadcast(b) */ a.id, b.t from t a join (select * from t where id < 90) b"
            + " on a.k = b.id",
        "select /*+ shuffle_hash(b) */ a.id, b.t from t a join t b on a.id = b.id + 7",
        "select /*+ merge(b) */ a.id, b.t from t a join t b on a.id = b.id + 7",
        "select id, rank() over (partition by k order by t) from t",
        "select id, t from t order by t, id limit 37",
        "select /*+ repartition(3) */ id, t from t where k > 3",
      })
  void shouldRunWhatSparkRuns(String sql) {
    session.assertSameAsSpark(sql);
  }

  /** On disk Spark's block manager serializes the frames, with Kryo. */
  @Test
  void shouldCacheOnDisk() {
    Dataset<Row> cached = session.spark().sql("select * from t").persist(StorageLevel.DISK_ONLY());
    try {
      assertThat(cached.groupBy("k").count().count()).isEqualTo(100);
      assertThat(cached.selectExpr("sum(id)").first().getLong(0)).isEqualTo(5000L * 4999 / 2);
    } finally {
      cached.unpersist(true);
    }
    session.assertNothingLeft();
  }
}
