package io.spillway.plugin;

import io.spillway.memory.breaker.BreakerChange;
import io.spillway.memory.breaker.BreakerSettings;
import io.spillway.memory.breaker.BreakerState;
import io.spillway.memory.breaker.NativeBreakers;
import io.spillway.plan.KindGate;
import io.spillway.plan.OperatorSwitch;
import io.spillway.plan.PlanSettings;
import java.time.Clock;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The driver's circuit breakers, one for each kind of operator: a kind that keeps failing is left
 * on the JVM for a while, then tried again by a few queries. A query that tries it does so as a
 * whole, however often it is planned; if it comes to no outcome, another may. Thread-safe.
 */
final class KindBreakers implements KindGate {
  private static final Logger LOG = LoggerFactory.getLogger(KindBreakers.class);

  private final BreakerSettings settings;
  private final NativeBreakers breakers;

  /** Of each kind that has ever changed. */
  private final Map<String, BreakerChange> changes = new HashMap<>();

  /** What queries try, by Spark's ids of them, and whether that has come to an outcome. */
  private final Map<Long, Map<OperatorSwitch, Boolean>> trials = new HashMap<>();

  /**
   * All closed.
   *
   * @param clock by which time passes
   */
  KindBreakers(BreakerSettings settings, Clock clock) {
    this.settings = settings;
    this.breakers = new NativeBreakers(settings, this::changed, clock);
  }

  @Override
  public synchronized Optional<String> refusal(OperatorSwitch kind, OptionalLong query) {
    if (query.isPresent() && trials.getOrDefault(query.getAsLong(), Map.of()).containsKey(kind)) {
      return Optional.empty();
    }
    if (!breakers.mayRun(kind.kind())) {
      return Optional.of(reason(kind));
    }
    if (breakers.state(kind.kind()) == BreakerState.HALF_OPEN) {
      if (query.isPresent()) {
        trials
            .computeIfAbsent(query.getAsLong(), id -> new EnumMap<>(OperatorSwitch.class))
            .put(kind, false);
      } else {
        // Nothing runs yet, and perhaps never will.
        breakers.abandoned(kind.kind());
      }
    }
    return Optional.empty();
  }

  /** A stage of a query has ended well in which this kind ran. */
  synchronized void succeeded(OperatorSwitch kind, OptionalLong query) {
    hasOutcome(kind, query);
    breakers.succeeded(kind.kind());
  }

  /** A stage of a query has failed in this kind. */
  synchronized void failed(OperatorSwitch kind, OptionalLong query, String reason) {
    hasOutcome(kind, query);
    breakers.failed(kind.kind(), reason);
  }

  /** What the query was to try and did not, another may. */
  synchronized void ended(long query) {
    Map<OperatorSwitch, Boolean> ended = trials.remove(query);
    if (ended != null) {
      ended.forEach(
          (kind, hasOutcome) -> {
            if (!hasOutcome) {
              breakers.abandoned(kind.kind());
            }
          });
    }
  }

  /** How many kinds are left on the JVM, or tried again, just now. */
  synchronized long notClosed() {
    return changes.values().stream().filter(change -> change.to() != BreakerState.CLOSED).count();
  }

  private void hasOutcome(OperatorSwitch kind, OptionalLong query) {
    if (query.isPresent() && trials.containsKey(query.getAsLong())) {
      trials.get(query.getAsLong()).replace(kind, true);
    }
  }

  private String reason(OperatorSwitch kind) {
    return "native "
        + kind.kind()
        + " has failed too often and is left on the JVM for a while ("
        + PlanSettings.BREAKER_ENABLED
        + "); last: "
        + breakers.lastFailure(kind.kind());
  }

  private void changed(BreakerChange change) {
    changes.put(change.kind(), change);
    if (change.to() == BreakerState.OPEN) {
      LOG.warn(
          "Native {} failed in {} of its last {} stages and is left on the JVM; it is tried again"
              + " after {} s ({}). {}=false would go on natively. Last failure: {}",
          change.kind(),
          change.failures(),
          change.outcomes(),
          settings.openFor().toMillis() / 1000.0,
          SpillwaySettings.BREAKER_OPEN_FOR,
          PlanSettings.BREAKER_ENABLED,
          change.lastFailure());
    } else if (change.to() == BreakerState.HALF_OPEN) {
      LOG.info("Native {} is tried again by {} queries", change.kind(), settings.trials());
    } else {
      LOG.info("Native {} works again", change.kind());
    }
  }
}
