package io.spillway.resilience;

import io.spillway.chaos.FaultPoint;
import io.spillway.testing.FaultReport;
import io.spillway.testing.FaultSweep;
import java.util.Arrays;

/** How many faults there are in a job. */
final class FaultCount {
  private FaultCount() {}

  /** Those that {@link EveryFault} injects; 0 before the calls have been counted. */
  static long ofSoak(FaultReport report) {
    FaultSweep sweep = EveryFault.class.getAnnotation(FaultSweep.class);
    return Arrays.stream(sweep.point())
        .mapToLong(point -> report.calls(point) * kinds(point, sweep.fault()) * sweep.mode().length)
        .sum();
  }

  private static long kinds(FaultPoint point, String[] faults) {
    return Arrays.stream(faults)
        .map(fault -> fault.replaceAll("\\W*([a-z-]+).*", "$1"))
        .filter(point.faults()::contains)
        .count();
  }
}
