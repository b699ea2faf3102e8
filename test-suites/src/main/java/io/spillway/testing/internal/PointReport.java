package io.spillway.testing.internal;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.spillway.testing.SweepOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One operator at one point of one test.
 *
 * @param operator empty where the point does not know
 * @param reached calls of the counting run
 * @param injected invocations with a fault there
 * @param fired those of them in which it fired
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record PointReport(
    String point,
    String operator,
    long reached,
    long injected,
    long fired,
    long recovered,
    long retried,
    long failedClean,
    long notReached,
    long failed) {

  private record Place(String point, String operator) {}

  /** One for each point and operator that was reached or had a fault, in the order of coming. */
  static List<PointReport> of(List<Call> calls, List<InvocationReport> invocations) {
    Map<Place, Long> reached = new LinkedHashMap<>();
    calls.forEach(
        call -> reached.merge(new Place(call.point().id(), call.operator()), 1L, Long::sum));
    invocations.forEach(one -> reached.putIfAbsent(new Place(one.point(), one.operator()), 0L));
    List<PointReport> points = new ArrayList<>();
    reached.forEach(
        (place, count) -> {
          List<InvocationReport> here =
              invocations.stream()
                  .filter(one -> place.equals(new Place(one.point(), one.operator())))
                  .toList();
          points.add(
              new PointReport(
                  place.point(),
                  place.operator(),
                  count,
                  here.size(),
                  here.stream().filter(one -> one.fired() > 0).count(),
                  count(here, SweepOutcome.RECOVERED),
                  count(here, SweepOutcome.TASK_RETRIED),
                  count(here, SweepOutcome.FAILED_CLEAN),
                  count(here, SweepOutcome.NOT_REACHED),
                  count(here, SweepOutcome.FAILED)));
        });
    return points;
  }

  private static long count(List<InvocationReport> invocations, SweepOutcome outcome) {
    return invocations.stream().filter(one -> one.outcome() == outcome).count();
  }
}
