package io.spillway.tpch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/** The queries of TPC-H as Spark's own tests have them, which must be on the class path. */
public final class TpchQueries {
  /** How many there are; they count from 1. */
  public static final int COUNT = 22;

  private TpchQueries() {}

  /** All numbers, in order. */
  public static List<Integer> numbers() {
    return IntStream.rangeClosed(1, COUNT).boxed().toList();
  }

  /**
   * The text of a query.
   *
   * @param number 1 to {@value #COUNT}
   */
  public static String text(int number) {
    String name = "/tpch/q" + number + ".sql";
    try (InputStream in = TpchQueries.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the class path lacks the query " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the query " + name + " cannot be read", e);
    }
  }
}
