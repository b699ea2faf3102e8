package io.spillway.memory;

import io.spillway.memory.event.MemoryEvent;
import io.spillway.memory.guard.ContainerGuard;
import io.spillway.memory.guard.GuardSettings;
import io.spillway.memory.guard.MemoryReader.Reading;
import io.spillway.memory.spill.SpillException;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What goes wrong in a model run: one fault at a time for the thread that armed it. */
final class ModelFaults {
  enum Kind {
    PAGES_REFUSE_ONCE,
    PAGES_REFUSE,
    SPARK_REFUSES,
    SPARK_GRANTS_IN_PART,
    CONTAINER_IS_FULL,
    SPILL_FAILS,
    LISTENER_THROWS
  }

  private static final long LIMIT_BYTES = 1L << 40;
  private static final int NEVER_BY_ITSELF_MILLIS = 3_600_000;

  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<Kind> armed = new ThreadLocal<>();

  private final AtomicInteger full = new AtomicInteger();
  private final Map<Kind, AtomicLong> fired = new EnumMap<>(Kind.class);
  private final ContainerGuard guard =
      new ContainerGuard(
          new GuardSettings(true, 0.92, 0.85, NEVER_BY_ITSELF_MILLIS), this::reading, () -> 0);

  /** Without a stack: it is logged each time. */
  private static final class Told extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Told(MemoryEvent event) {
      super("listener, says the model: " + event, null, false, false);
    }
  }

  ModelFaults() {
    for (Kind kind : Kind.values()) {
      fired.put(kind, new AtomicLong());
    }
  }

  void arm(Kind kind) {
    armed.set(kind);
    if (kind == Kind.CONTAINER_IS_FULL) {
      full.incrementAndGet();
      guard.look();
    }
  }

  void disarm() {
    Kind kind = armed.get();
    armed.remove();
    if (kind == Kind.CONTAINER_IS_FULL && full.decrementAndGet() == 0) {
      guard.look();
    }
  }

  /** Whether something may have been refused for the sake of the test. */
  boolean isArmed() {
    return armed.get() != null || full.get() > 0;
  }

  /** Whether the fault that is armed comes only to those whose memory is short. */
  boolean needsPressure() {
    return isArmed(Kind.SPILL_FAILS) || isArmed(Kind.LISTENER_THROWS);
  }

  boolean isArmed(Kind kind) {
    return armed.get() == kind;
  }

  long fired(Kind kind) {
    return fired.get(kind).get();
  }

  private boolean fires(Kind kind) {
    if (armed.get() != kind) {
      return false;
    }
    fired.get(kind).incrementAndGet();
    return true;
  }

  private Reading reading() {
    boolean isFull = full.get() > 0;
    if (isFull) {
      fired.get(Kind.CONTAINER_IS_FULL).incrementAndGet();
    }
    return new Reading("/model", isFull ? LIMIT_BYTES : 0, LIMIT_BYTES, 0);
  }

  ContainerGuard guard() {
    return guard;
  }

  PageSource pages() {
    return new PageSource() {
      @Override
      long allocate(long bytes) {
        if (fires(Kind.PAGES_REFUSE_ONCE)) {
          armed.remove();
          throw new OutOfMemoryError("refused once by the model");
        }
        if (fires(Kind.PAGES_REFUSE)) {
          throw new OutOfMemoryError("refused by the model");
        }
        return super.allocate(bytes);
      }
    };
  }

  /** What Spark is asked for in truth. */
  long asked(long bytes) {
    if (fires(Kind.SPARK_REFUSES)) {
      return 0;
    }
    return fires(Kind.SPARK_GRANTS_IN_PART) ? bytes / 3 : bytes;
  }

  /** In a spill, after it has freed something. */
  void spilling() {
    if (fires(Kind.SPILL_FAILS)) {
      throw new SpillException("disk full, says the model");
    }
  }

  void onEvent(MemoryEvent event) {
    if (fires(Kind.LISTENER_THROWS)) {
      throw new Told(event);
    }
  }
}
