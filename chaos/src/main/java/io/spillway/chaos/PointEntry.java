package io.spillway.chaos;

import java.util.List;

/**
 * What the catalogue says of one point; {@link FaultPoint}'s getters say what each part means.
 *
 * @param verified whether it was run against the real class
 */
record PointEntry(
    String id,
    String summary,
    String handling,
    FaultPoint.Calls calls,
    boolean namesOperator,
    boolean verified,
    List<Seam> seams,
    List<String> faults) {

  /** A point whose calls follow from the task's data. */
  static PointEntry dataDriven(String id, String summary, String handling) {
    return entry(id, summary, handling, FaultPoint.Calls.DATA_DRIVEN);
  }

  /** A point whose calls depend on what other tasks hold or do, too. */
  static PointEntry demandDriven(String id, String summary, String handling) {
    return entry(id, summary, handling, FaultPoint.Calls.DEMAND_DRIVEN);
  }

  private static PointEntry entry(
      String id, String summary, String handling, FaultPoint.Calls calls) {
    return new PointEntry(id, summary, handling, calls, false, true, List.of(), List.of());
  }

  PointEntry at(Seam... where) {
    return new PointEntry(
        id, summary, handling, calls, namesOperator, verified, List.of(where), faults);
  }

  PointEntry carrying(String... which) {
    return new PointEntry(
        id, summary, handling, calls, namesOperator, verified, seams, List.of(which));
  }

  PointEntry namingOperator() {
    return new PointEntry(id, summary, handling, calls, true, verified, seams, faults);
  }

  PointEntry unverified() {
    return new PointEntry(id, summary, handling, calls, namesOperator, false, seams, faults);
  }
}
