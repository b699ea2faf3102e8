package io.spillway.testing.internal;

import io.spillway.chaos.ChaosAgent;
import io.spillway.chaos.ChaosController;
import io.spillway.chaos.FaultPlan;
import io.spillway.chaos.FaultPoint;
import io.spillway.chaos.FaultRule;
import io.spillway.chaos.Limits;
import io.spillway.chaos.Scope;
import io.spillway.chaos.Trigger;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.opentest4j.TestAbortedException;

/**
 * The agent in this JVM. Classes are changed when a test first needs their points, and stay so
 * until its class has ended; plans come and go. Test threads only, one at a time.
 */
final class ArmedAgent {
  /** Whether tests fail where the agent is not to be had; by default they do so in CI. */
  static final String REQUIRED = "spillway.testing.requireAgent";

  /** No job has this label, so that nothing fires. */
  private static final String NO_JOB = "spillway-testing-between-runs";

  private static final Set<FaultPoint> CHANGED = EnumSet.noneOf(FaultPoint.class);
  private static ChaosController armed;

  private ArmedAgent() {}

  /**
   * Makes the points fit to fail. What is armed stays armed if they are so already.
   *
   * @param out directory of the agent's files
   * @throws TestAbortedException if the agent cannot come into this JVM and need not
   * @throws AssertionError if it cannot and must
   */
  static synchronized void prepare(Set<FaultPoint> points, Path out) {
    Optional<ChaosController> current = ChaosAgent.current();
    boolean ours = isOurs();
    if (current.isPresent() && !ours) {
      throw new IllegalStateException(
          "this JVM has a fault plan already (%s): the tests arm their own, so start it without"
              .formatted(current.get().planName()));
    }
    if (ours && CHANGED.containsAll(points)) {
      return;
    }
    Instrumentation instrumentation = instrumentation();
    if (ours) {
      ChaosAgent.uninstall();
    } else {
      CHANGED.clear();
    }
    CHANGED.addAll(points);
    armed = ChaosAgent.arm(quietPlan(), out, instrumentation);
  }

  /** Arms a plan. Its points have been prepared. */
  static synchronized ChaosController arm(FaultPlan plan) {
    armed = ChaosAgent.rearm(plan);
    return armed;
  }

  /** From now on every call passes. */
  static synchronized void quiet() {
    if (isOurs()) {
      armed = ChaosAgent.rearm(quietPlan());
    }
  }

  /** Gives every class its own code back. */
  static synchronized void release() {
    if (isOurs()) {
      ChaosAgent.uninstall();
    }
    CHANGED.clear();
    armed = null;
  }

  private static boolean isOurs() {
    return armed != null && ChaosAgent.current().filter(armed::equals).isPresent();
  }

  private static FaultPlan quietPlan() {
    Scope nowhere =
        new Scope(
            Optional.of(NO_JOB), List.of(), List.of(), OptionalInt.of(0), Optional.empty(), false);
    List<FaultRule> rules =
        CHANGED.stream()
            .map(
                point ->
                    new FaultRule(
                        point, Faults.gravest(point), new Trigger.Nth(1), nowhere, Limits.DEFAULT))
            .toList();
    return new FaultPlan(0, Optional.empty(), Optional.empty(), FaultPlan.Mode.FIRE, rules);
  }

  /** Attaches to this JVM, from a helper process where the JVM may not do that itself. */
  private static Instrumentation instrumentation() {
    try {
      return ByteBuddyAgent.install();
    } catch (IllegalStateException | UnsupportedOperationException e) {
      String why =
          ("no fault can be injected: an agent cannot be attached to this JVM (%s). It needs a JDK"
                  + " with the module jdk.attach and no -XX:+DisableAttachMechanism; or start the"
                  + " JVM with -javaagent:byte-buddy-agent.jar")
              .formatted(rootMessage(e));
      if (isRequired()) {
        throw new AssertionError(
            why + ". That fails tests in CI; -D" + REQUIRED + "=false makes it abort them", e);
      }
      throw new TestAbortedException(why, e);
    }
  }

  private static boolean isRequired() {
    String property = System.getProperty(REQUIRED);
    return property != null ? !property.equals("false") : Boolean.parseBoolean(System.getenv("CI"));
  }

  private static String rootMessage(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage()).strip().lines().findFirst().orElse("");
  }
}
