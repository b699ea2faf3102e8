package io.spillway.chaos.internal.plan;

import io.spillway.chaos.FaultKey;
import io.spillway.chaos.FaultPoint;
import io.spillway.chaos.Limits;
import io.spillway.chaos.Scope;
import io.spillway.chaos.Trigger;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Tells a rule that could not fire whatever the job does: who writes it believes that something is
 * tested. Rules that only this job never meets show up in the report with {@code fired} 0.
 */
public final class NeverFires {
  /** Points that every task attempt reaches once at most, and nothing outside a task. */
  private static final Set<FaultPoint> ONCE_PER_TASK =
      EnumSet.of(FaultPoint.TASK_START, FaultPoint.TASK_END, FaultPoint.SHUFFLE_WRITE);

  private NeverFires() {}

  /**
   * What is wrong with a rule.
   *
   * @param part the part of the rule that is to blame: {@code when}, {@code where} or {@code
   *     limits}
   * @param text what is wrong and what is allowed
   */
  public record Problem(String part, String text) {}

  /** Why a rule with these parts could never fire; empty if it could. */
  public static Optional<Problem> problem(
      FaultPoint point, Trigger when, Scope where, Limits limits) {
    if (when instanceof Trigger.AfterSeconds after
        && after.seconds() >= limits.window().toSeconds()) {
      return limits(
          "'toSeconds' must be above 'afterSeconds', %d, and is %d: it could never fire"
              .formatted(after.seconds(), limits.window().toSeconds()));
    }
    if (!isOncePerTask(point)) {
      return Optional.empty();
    }
    if (where.outsideTask() || firstKey(when).filter(FaultKey::isOutsideTask).isPresent()) {
      return Optional.of(
          new Problem(
              where.outsideTask() ? "where" : "when",
              "the point %s is never reached outside a task".formatted(point.id())));
    }
    long least = leastCall(when);
    return least > 1
        ? Optional.of(
            new Problem(
                "when",
                "the point %s is reached once in a task attempt: the call must be 1, not %d"
                    .formatted(point.id(), least)))
        : Optional.empty();
  }

  static boolean isOncePerTask(FaultPoint point) {
    return ONCE_PER_TASK.contains(point);
  }

  private static Optional<Problem> limits(String text) {
    return Optional.of(new Problem("limits", text));
  }

  /** The key that is to blame, if one is. */
  private static Optional<FaultKey> firstKey(Trigger when) {
    return when instanceof Trigger.Keys keys
        ? keys.keys().stream().filter(key -> key.isOutsideTask() || key.call() > 1).findFirst()
        : Optional.empty();
  }

  private static long leastCall(Trigger when) {
    if (when instanceof Trigger.Nth nth) {
      return nth.call();
    } else if (when instanceof Trigger.Every every) {
      return every.calls();
    } else if (when instanceof Trigger.From from) {
      return from.call();
    }
    return firstKey(when).map(FaultKey::call).orElse(1L);
  }
}
