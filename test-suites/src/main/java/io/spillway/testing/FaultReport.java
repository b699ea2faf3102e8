package io.spillway.testing;

import io.spillway.chaos.FaultPoint;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** What a test tells of its job, and may ask of its invocation. Used on the test's thread. */
public interface FaultReport {

  /**
   * Runs a query and keeps its rows as a result of this run. Each run's results must be those of
   * the first one: as a multiset of rows, columns of floating-point numbers to 1e-9 relative (those
   * inside arrays, maps and structs to the last digit). Zeros of both signs are equal, and so are
   * all NaNs. The results of a test must not all be empty: nothing could be lost from them.
   *
   * @return the rows
   */
  List<Row> result(Dataset<Row> query);

  /**
   * As {@link #result}, and the rows must come in the same order, so the query must order them by
   * something that no two rows share.
   *
   * @return the rows
   */
  List<Row> orderedResult(Dataset<Row> query);

  /** The fault of this invocation, as its name says it; empty where none is injected. */
  Optional<String> fault();

  /** Calls at a point in the counting run; 0 before it and where none is made. */
  long calls(FaultPoint point);
}
