package io.spillway.memory.breaker;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.circuitbreaker.event.CircuitBreakerOnStateTransitionEvent;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A circuit breaker for each kind of native operator: counts how its stages ended, and says whether
 * the next one may run natively. Kinds fail apart: a join that fails leaves aggregates alone.
 * Thread-safe.
 */
public final class NativeBreakers {
  private final CircuitBreakerConfig config;
  private final Consumer<BreakerChange> listener;
  private final Map<String, Breaker> breakers = new ConcurrentHashMap<>();

  /** One kind's breaker, and what its last failure said. */
  private static final class Breaker {
    private final CircuitBreaker machine;
    private volatile String lastFailure = "";

    Breaker(CircuitBreaker machine) {
      this.machine = machine;
    }
  }

  /**
   * All closed.
   *
   * @param settings of every kind
   * @param listener told of every change of state, on the thread that caused it
   * @param clock by which time passes
   */
  public NativeBreakers(BreakerSettings settings, Consumer<BreakerChange> listener, Clock clock) {
    this.listener = listener;
    config =
        CircuitBreakerConfig.custom()
            .slidingWindowType(SlidingWindowType.COUNT_BASED)
            .slidingWindowSize(settings.windowOutcomes())
            .minimumNumberOfCalls(settings.fewestOutcomes())
            .failureRateThreshold(settings.failurePercent())
            .waitDurationInOpenState(settings.openFor())
            .permittedNumberOfCallsInHalfOpenState(settings.trials())
            .maxWaitDurationInHalfOpenState(settings.trialsWithin())
            .clock(clock)
            .build();
  }

  /**
   * Whether the next stage may run this kind natively. Where that is a trial, its outcome must be
   * told.
   *
   * @param kind of operator
   * @return false if it is to be left on the JVM
   */
  public boolean mayRun(String kind) {
    return breaker(kind).machine.tryAcquirePermission();
  }

  /**
   * A stage ended well in which this kind ran natively.
   *
   * @param kind of operator
   */
  public void succeeded(String kind) {
    breaker(kind).machine.onSuccess(0, TimeUnit.NANOSECONDS);
  }

  /**
   * A stage failed in native code of this kind. A cancelled stage is neither this nor a success.
   *
   * @param kind of operator
   * @param reason in a sentence, for who reads why the kind stays on the JVM
   */
  public void failed(String kind, String reason) {
    Breaker breaker = breaker(kind);
    breaker.lastFailure = reason;
    breaker.machine.onError(0, TimeUnit.NANOSECONDS, new NativeFailure(reason));
  }

  /**
   * A trial that {@link #mayRun} allowed did not take place, or was cancelled: another may.
   *
   * @param kind of operator
   */
  public void abandoned(String kind) {
    breaker(kind).machine.releasePermission();
  }

  /** Where a kind stands. */
  public BreakerState state(String kind) {
    return state(breaker(kind).machine.getState());
  }

  /** What the last failure of a kind said, empty if none was told. */
  public String lastFailure(String kind) {
    return breaker(kind).lastFailure;
  }

  private Breaker breaker(String kind) {
    return breakers.computeIfAbsent(kind, this::newBreaker);
  }

  private Breaker newBreaker(String kind) {
    Breaker breaker = new Breaker(CircuitBreaker.of(kind, config));
    breaker
        .machine
        .getEventPublisher()
        .onStateTransition(transition -> changed(breaker, transition));
    return breaker;
  }

  private void changed(Breaker breaker, CircuitBreakerOnStateTransitionEvent transition) {
    CircuitBreaker.Metrics metrics = breaker.machine.getMetrics();
    listener.accept(
        new BreakerChange(
            breaker.machine.getName(),
            state(transition.getStateTransition().getFromState()),
            state(transition.getStateTransition().getToState()),
            metrics.getNumberOfFailedCalls(),
            metrics.getNumberOfBufferedCalls(),
            breaker.lastFailure));
  }

  private static BreakerState state(CircuitBreaker.State state) {
    return switch (state) {
      case CLOSED -> BreakerState.CLOSED;
      case OPEN -> BreakerState.OPEN;
      case HALF_OPEN -> BreakerState.HALF_OPEN;
      default -> throw new IllegalStateException("a breaker is never " + state);
    };
  }

  /** What the machine counts; nobody catches it. */
  private static final class NativeFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NativeFailure(String reason) {
      super(reason, null, false, false);
    }
  }
}
