package io.spillway.chaos.internal.plan;

import io.spillway.chaos.Fault;
import io.spillway.chaos.FaultKey;
import io.spillway.chaos.FaultRule;
import io.spillway.chaos.Limits;
import io.spillway.chaos.Place;
import io.spillway.chaos.Scope;
import io.spillway.chaos.TimeWindow;
import io.spillway.chaos.Trigger;
import java.util.List;
import java.util.Optional;

/**
 * Finds a rule that an earlier one keeps from ever firing. Of the rules that pick a call the first
 * one fires, as long as its limits let it; so the earlier rule must pick all that the later one
 * picks, and its limits must never stop it before. When in doubt there is no shadow.
 */
public final class Shadow {
  private static final long NO_LIMIT = Long.MAX_VALUE;

  private Shadow() {}

  /** Index of the first of the earlier rules that keeps this one from firing; -1 if none does. */
  public static int of(List<FaultRule> earlier, FaultRule rule) {
    for (int i = 0; i < earlier.size(); i++) {
      if (shadows(earlier.get(i), rule)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean shadows(FaultRule first, FaultRule second) {
    return first.point() == second.point()
        && carriesWherever(first.fault(), second.fault())
        && neverStops(first.limits(), second.limits())
        && (second.when() instanceof Trigger.Keys keys
            ? keys.keys().stream().allMatch(key -> takes(first, key))
            : !(first.when() instanceof Trigger.Keys)
                && covers(first.where(), second.where())
                && takesCalls(first, second));
  }

  /**
   * Damage is for Spillway's own spill files: Spark's sorters leave their calls to the next rule.
   */
  private static boolean carriesWherever(Fault first, Fault second) {
    return !(first instanceof Fault.Damage) || second instanceof Fault.Damage;
  }

  private static boolean neverStops(Limits first, Limits second) {
    TimeWindow wide = first.window();
    TimeWindow narrow = second.window();
    return first.total() == NO_LIMIT
        && first.perMinute() == NO_LIMIT
        && wide.fromSeconds() <= narrow.fromSeconds()
        && wide.toSeconds() >= narrow.toSeconds();
  }

  private static boolean takesCalls(FaultRule first, FaultRule second) {
    Trigger when = second.when();
    if (when instanceof Trigger.Nth nth) {
      return takesCall(first, nth.call());
    }
    if (NeverFires.isOncePerTask(second.point()) && takesCall(first, 1)) {
      return true;
    }
    // There is no last call, so a limit by task would stop the first rule some time.
    if (first.limits().perTask() != NO_LIMIT) {
      return false;
    }
    if (when instanceof Trigger.Every every) {
      return first.when() instanceof Trigger.Every wide
          ? every.calls() % wide.calls() == 0
          : takesFrom(first.when(), every.calls());
    } else if (when instanceof Trigger.From from) {
      return takesFrom(first.when(), from.call());
    } else if (when instanceof Trigger.AfterSeconds after
        && first.when() instanceof Trigger.AfterSeconds wide) {
      return wide.seconds() <= after.seconds();
    }
    return takesFrom(first.when(), 1);
  }

  /** Whether every call from this one on is picked. */
  private static boolean takesFrom(Trigger when, long call) {
    return (when instanceof Trigger.Every every && every.calls() == 1)
        || (when instanceof Trigger.From from && from.call() <= call)
        || (when instanceof Trigger.Probability probability && probability.share() == 1);
  }

  /** Whether this call is picked, and the limit by task not used up by calls before it. */
  private static boolean takesCall(FaultRule first, long call) {
    Trigger when = first.when();
    long most = first.limits().perTask();
    if (when instanceof Trigger.Nth nth) {
      return nth.call() == call;
    } else if (when instanceof Trigger.Every every) {
      return call % every.calls() == 0 && call / every.calls() <= most;
    } else if (when instanceof Trigger.From from) {
      return call >= from.call() && call - from.call() < most;
    }
    return when instanceof Trigger.Probability probability
        && probability.share() == 1
        && call <= most;
  }

  private static boolean takes(FaultRule first, FaultKey key) {
    if (first.when() instanceof Trigger.Keys keys) {
      return first.limits().perTask() == NO_LIMIT && keys.keys().contains(key);
    }
    Scope where = first.where();
    return where.outsideTask() == key.isOutsideTask()
        && where.operator().isEmpty()
        && where.place().equals(Place.ANYWHERE)
        && where.label().map(label -> Glob.of(label).matches(key.label())).orElse(true)
        && (where.stages().isEmpty() || where.stages().contains(key.stage()))
        && (where.partitions().isEmpty() || where.partitions().contains(key.partition()))
        && (where.outsideTask()
            || where.attempt().isEmpty()
            || (where.attempt().getAsInt() == key.attempt() && key.stageAttempt() == 0))
        && takesCall(first, key.call());
  }

  private static boolean covers(Scope wide, Scope narrow) {
    return wide.outsideTask() == narrow.outsideTask()
        && (wide.label().equals(Optional.of("*")) || covers(wide.label(), narrow.label()))
        && covers(wide.operator(), narrow.operator())
        && covers(wide.place().application(), narrow.place().application())
        && covers(wide.place().host(), narrow.place().host())
        && covers(wide.place().executor(), narrow.place().executor())
        && covers(wide.stages(), narrow.stages())
        && covers(wide.partitions(), narrow.partitions())
        && (wide.outsideTask()
            || wide.attempt().isEmpty()
            || wide.attempt().equals(narrow.attempt()));
  }

  private static boolean covers(Optional<String> wide, Optional<String> narrow) {
    return wide.isEmpty() || (narrow.isPresent() && Glob.covers(wide.get(), narrow.get()));
  }

  private static boolean covers(List<Integer> wide, List<Integer> narrow) {
    return wide.isEmpty() || (!narrow.isEmpty() && wide.containsAll(narrow));
  }
}
