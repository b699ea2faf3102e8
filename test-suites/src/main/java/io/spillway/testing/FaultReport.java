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
   * the first one: as a multiset of rows, floating-point columns to 1e-9 relative.
   *
   * @return the rows
   */
  List<Row> result(Dataset<Row> query);

  /** The fault of this invocation, as its name says it; empty where none is injected. */
  Optional<String> fault();

  /** Calls at a point in the counting run; 0 before it and where none is made. */
  long calls(FaultPoint point);
}
