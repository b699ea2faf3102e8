package io.spillway.operator;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Expressions that make far more text than a task's share of 16 MiB holds at a time. */
class StarvedTextTest {
  private static TestSession session;

  @BeforeAll
  static void open() {
    session = TestSession.open(2, "16m", Map.of("spark.sql.shuffle.partitions", "2"));
  }

  @AfterAll
  static void close() {
    session.close();
  }

  /** A slice of 4096 rows would make 24 MB here. */
  @Test
  void shouldHalveSlicesWhenTheStringsOfOneFindNoRoom() {
    session.assertSameAsSpark(
        "select id % 3, count(*), sum(hash(lpad(concat('w', id), 6000, 'xy'))),"
            + " max(substring(rpad(concat('w', id), 6000, 'zy'), 5990, 8))"
            + " from range(0, 9000, 1, 2) group by id % 3");
  }

  @Test
  void shouldHalveSlicesWhenSparksOwnCodeMakesTheStrings() {
    session.assertSameAsSpark(
        "select id % 3, count(*), max(substring(upper(lpad(concat('ß', id), 2000, 'ä')), 1990, 20))"
            + " from range(0, 6000, 1, 2) group by id % 3");
  }

  @Test
  void shouldMakeOneStringOfMegabytesWhenThereIsRoomForIt() {
    session.assertSameAsSpark(
        "select id % 2, max(hash(concat(t, t))), max(length(replace(t, 'w', 'ww')))"
            + " from (select id, repeat(concat('w', id), 50000) as t from range(0, 6, 1, 1))"
            + " group by id % 2");
  }
}
