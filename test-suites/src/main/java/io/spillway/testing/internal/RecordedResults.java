package io.spillway.testing.internal;

import io.spillway.chaos.FaultPoint;
import io.spillway.drill.ResultComparison;
import io.spillway.drill.ResultFile;
import io.spillway.testing.FaultReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The results of one run after the other, for one invocation. */
final class RecordedResults implements FaultReport {
  private final Optional<String> fault;
  private final Map<FaultPoint, Long> calls;
  private List<RecordedResult> results = new ArrayList<>();

  /**
   * @param calls of the counting run
   */
  RecordedResults(Optional<String> fault, Map<FaultPoint, Long> calls) {
    this.fault = fault;
    this.calls = calls;
  }

  /** Another run begins. */
  void begin() {
    results = new ArrayList<>();
  }

  /** What the last run has told so far. */
  List<RecordedResult> results() {
    return results;
  }

  @Override
  public List<Row> result(Dataset<Row> query) {
    return result(query, false);
  }

  @Override
  public List<Row> orderedResult(Dataset<Row> query) {
    return result(query, true);
  }

  private List<Row> result(Dataset<Row> query, boolean ordered) {
    List<Row> rows = query.collectAsList();
    results.add(new RecordedResult(ResultFile.of(query.schema(), rows), ordered));
    return rows;
  }

  @Override
  public Optional<String> fault() {
    return fault;
  }

  @Override
  public long calls(FaultPoint point) {
    return calls.getOrDefault(point, 0L);
  }

  /** The first difference of the last run's results from those expected, in words. */
  Optional<String> difference(List<RecordedResult> expected) {
    if (results.size() != expected.size()) {
      return Optional.of(
          "%d results where %d were expected".formatted(results.size(), expected.size()));
    }
    for (int i = 0; i < expected.size(); i++) {
      RecordedResult one = results.get(i);
      Optional<String> difference =
          ResultComparison.difference(expected.get(i).rows(), one.rows(), one.ordered());
      if (difference.isPresent()) {
        String which = expected.size() == 1 ? "" : "result " + (i + 1) + ": ";
        return Optional.of(which + difference.get());
      }
    }
    return Optional.empty();
  }
}
