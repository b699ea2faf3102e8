package io.spillway.testing.internal;

import io.spillway.chaos.Fault;
import io.spillway.chaos.FaultPlan;
import io.spillway.chaos.FaultPoint;
import io.spillway.chaos.PlanException;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** Which points and faults a sweep takes if nobody says. */
final class Faults {
  /** A fault there ends the process that the tests run in. */
  private static final Set<FaultPoint> END_THE_JVM =
      EnumSet.of(
          FaultPoint.EXECUTOR_EXIT,
          FaultPoint.JDK_DIRECT,
          FaultPoint.JDK_UNSAFE,
          FaultPoint.NETTY_ALLOC);

  private Faults() {}

  /** All points at which a fault leaves this JVM alive. */
  static Set<FaultPoint> safePoints() {
    return EnumSet.complementOf(EnumSet.copyOf(END_THE_JVM));
  }

  /** Refuses a point at which a fault would end this JVM. */
  static void checkSafe(FaultPoint point) {
    if (END_THE_JVM.contains(point)) {
      throw new ExtensionConfigurationException(
          "a fault at %s ends the JVM, and with it the tests: give the agent to a job of its own"
              .formatted(point.id()));
    }
  }

  /** The gravest fault that a point can carry: the first of the catalogue, granting nothing. */
  static Fault gravest(FaultPoint point) {
    String fault = point.faults().get(0);
    return fault.equals(Fault.ShortGrant.ID) ? new Fault.ShortGrant(0) : parse(point, fault);
  }

  /** Reads a fault as a plan writes it. */
  static Fault parse(FaultPoint point, String text) {
    try {
      return FaultPlan.parse(
              "fault = \"" + text + "\"",
              "{version: 1, rules: [{point: %s, fault: %s, when: {nth: 1}}]}"
                  .formatted(point.id(), text))
          .rules()
          .get(0)
          .fault();
    } catch (PlanException e) {
      throw new ExtensionConfigurationException(e.getMessage(), e);
    }
  }

  /** Whether a point can carry a fault that is written so. */
  static boolean carries(FaultPoint point, String text) {
    String name = text.strip();
    if (name.startsWith("{")) {
      name = name.substring(1).split(":", 2)[0].strip();
    }
    return point.faults().contains(name);
  }
}
