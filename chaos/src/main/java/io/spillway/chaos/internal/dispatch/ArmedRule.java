package io.spillway.chaos.internal.dispatch;

import io.spillway.chaos.FaultPoint;
import io.spillway.chaos.FaultRule;
import io.spillway.chaos.Limits;
import io.spillway.chaos.Scope;
import io.spillway.chaos.Trigger;
import io.spillway.chaos.internal.plan.Glob;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** One rule of the armed plan with its patterns and its counts. Any thread. */
final class ArmedRule {
  private final int number;
  private final FaultRule rule;
  private final LongSupplier secondsArmed;
  private final MinuteBudget minutes;
  private final long pointHash;
  private final Glob label;
  private final Glob operator;
  private final Glob application;
  private final Glob host;
  private final Glob executor;

  /** The calls of each attempt that a rule with keys names; empty for other rules. */
  private final Map<TaskKey, Set<Long>> keyed = new HashMap<>();

  private final AtomicLong fired = new AtomicLong();
  private final LongAdder limited = new LongAdder();

  /**
   * @param number the rule's place in the plan, from 1
   * @param secondsArmed how long the plan has been armed
   */
  ArmedRule(int number, FaultRule rule, LongSupplier secondsArmed) {
    this.number = number;
    this.rule = rule;
    this.secondsArmed = secondsArmed;
    this.minutes = new MinuteBudget(rule.limits().perMinute());
    this.pointHash = DecisionHash.ofText(rule.point().id());
    this.label = pattern(rule.where().label());
    this.operator = pattern(rule.where().operator());
    this.application = pattern(rule.where().place().application());
    this.host = pattern(rule.where().place().host());
    this.executor = pattern(rule.where().place().executor());
    if (rule.when() instanceof Trigger.Keys keys) {
      keys.keys()
          .forEach(
              key -> keyed.computeIfAbsent(TaskKey.of(key), k -> new HashSet<>()).add(key.call()));
    }
  }

  int number() {
    return number;
  }

  FaultRule rule() {
    return rule;
  }

  FaultPoint point() {
    return rule.point();
  }

  long fired() {
    return fired.get();
  }

  /** How many calls the rule picked that its limits kept from failing. */
  long limited() {
    return limited.sum();
  }

  /** Whether the rule is for this task at all: decided once for an attempt. */
  boolean concerns(TaskKey task) {
    if (!keyed.isEmpty()) {
      return keyed.containsKey(task.withoutIds());
    }
    Scope where = rule.where();
    if (where.outsideTask() || task.outsideTask()) {
      return where.outsideTask() && task.outsideTask();
    }
    // A stage that runs again counts its tasks' attempts from 0 again: first means first of both.
    boolean attempt =
        where.attempt().isEmpty()
            || (where.attempt().getAsInt() == task.attempt() && task.stageAttempt() == 0);
    return attempt
        && (where.stages().isEmpty() || where.stages().contains(task.stageOrdinal()))
        && (where.partitions().isEmpty() || where.partitions().contains(task.partition()))
        && (label == null || label.matches(task.label()));
  }

  /**
   * The decision: a function of the key alone, but for the one trigger that asks the clock.
   *
   * @param task an attempt that the rule concerns
   * @param attemptHash that attempt's hash
   */
  boolean picks(TaskKey task, long attemptHash, long call) {
    Trigger when = rule.when();
    if (when instanceof Trigger.Nth nth) {
      return call == nth.call();
    } else if (when instanceof Trigger.Every every) {
      return call % every.calls() == 0;
    } else if (when instanceof Trigger.From from) {
      return call >= from.call();
    } else if (when instanceof Trigger.AfterSeconds after) {
      return secondsArmed.getAsLong() >= after.seconds();
    } else if (when instanceof Trigger.Keys) {
      return keyed.get(task.withoutIds()).contains(call);
    }
    double share = ((Trigger.Probability) when).share();
    return DecisionHash.toUnit(DecisionHash.ofCall(attemptHash, pointHash, call, number)) < share;
  }

  /** Whether the rule asks for an operator's name, so that it must be found out. */
  boolean asksOperator() {
    return operator != null;
  }

  boolean matchesOperator(String name) {
    return matches(operator, name);
  }

  /** Whether the rule is for some JVMs only, so that it must be found out which one this is. */
  boolean asksPlace() {
    return application != null || host != null || executor != null;
  }

  boolean matchesPlace(Here here) {
    return (matches(application, here.applicationName())
            || matches(application, here.applicationId()))
        && matches(host, here.host())
        && matches(executor, here.executor());
  }

  /** Takes one fault off the limits; false if one of them is used up. */
  boolean take(AtomicLong firedInAttempt) {
    Limits limits = rule.limits();
    long seconds = secondsArmed.getAsLong();
    if (!limits.window().contains(seconds)
        || !takeBelow(firedInAttempt, limits.perTask())
        || !minutes.take(seconds)
        || !takeBelow(fired, limits.total())) {
      limited.increment();
      return false;
    }
    return true;
  }

  /** Undoes {@link #take}: something beyond the rule keeps the call from failing. */
  void giveBack(AtomicLong firedInAttempt) {
    undo(firedInAttempt);
    limited.increment();
  }

  /** Undoes {@link #take} as if the call had never been picked. */
  void undo(AtomicLong firedInAttempt) {
    firedInAttempt.decrementAndGet();
    fired.decrementAndGet();
  }

  private static boolean takeBelow(AtomicLong counter, long limit) {
    for (long now = counter.get(); now < limit; now = counter.get()) {
      if (counter.compareAndSet(now, now + 1)) {
        return true;
      }
    }
    return false;
  }

  /** Null matches everything; an unknown text is matched by nothing else. */
  private static boolean matches(Glob pattern, String text) {
    return pattern == null || (text != null && pattern.matches(text));
  }

  private static Glob pattern(Optional<String> glob) {
    return glob.map(Glob::of).orElse(null);
  }
}
