package io.spillway.testing.internal;

import io.spillway.chaos.FaultPlan;
import io.spillway.chaos.FaultPoint;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a test's annotation asks for. */
interface FaultSource {

  /** Every point that a fault may be injected at. */
  Set<FaultPoint> points();

  /** The dry run that counts calls under this label; empty if the faults do not need it. */
  Optional<FaultPlan> countingPlan(String label);

  /**
   * All faults that there are.
   *
   * @param calls of the counting run
   */
  List<PlannedFault> faults(List<Call> calls);

  /**
   * Those to run of all: everything, or a sample.
   *
   * @param all what {@link #faults} said
   */
  List<PlannedFault> choose(List<PlannedFault> all);

  /** What the counting run shows to be wrong with the test, such as a point that is not reached. */
  Optional<String> problem(List<Call> calls);

  /**
   * What the faults that were injected show to be wrong with the test.
   *
   * @param fired how often each rule has fired, in the order of the plan, over all invocations
   */
  Optional<String> problemAtEnd(List<Long> fired);

  /** Decides on samples. */
  long seed();
}
