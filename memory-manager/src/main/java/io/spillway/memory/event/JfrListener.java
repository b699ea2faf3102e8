package io.spillway.memory.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * Writes events to the JDK's flight recorder, if one records; costs next to nothing if none does.
 * Thread-safe.
 *
 * <p>An event is written when it is over; how long it took is its own field {@code took}.
 */
public final class JfrListener implements MemoryEventListener {
  @Override
  public void onEvent(MemoryEvent event) {
    if (event instanceof MemoryEvent.Spilled spilled) {
      commit(new SpillEvent(), spilled, spilled.freedBytes(), spilled.nanos(), "");
    } else if (event instanceof MemoryEvent.Pressure pressure) {
      commit(new PressureEvent(), pressure, pressure.askedBytes(), 0, pressure.rung().name());
    } else if (event instanceof MemoryEvent.Granted granted) {
      commit(
          new GrantEvent(), granted, granted.askedBytes(), granted.nanos(), granted.rung().name());
    } else if (event instanceof MemoryEvent.Retried retried) {
      RetryEvent recorded = new RetryEvent();
      recorded.fromRow = retried.fromRow();
      recorded.toRow = retried.toRow();
      commit(recorded, retried, 0, 0, retried.rung().name());
    } else if (event instanceof MemoryEvent.Denied denied) {
      commit(new DenialEvent(), denied, denied.askedBytes(), denied.nanos(), "");
    } else if (event instanceof MemoryEvent.Leaked leaked) {
      commit(new LeakEvent(), leaked, leaked.bytes(), 0, "");
    } else if (event instanceof MemoryEvent.Reclaimed reclaimed) {
      commit(new ReclaimEvent(), reclaimed, reclaimed.bytes(), 0, "");
    } else if (event instanceof MemoryEvent.Quarantined quarantined) {
      commit(new QuarantineEvent(), quarantined, quarantined.bytes(), 0, "");
    } else if (event instanceof MemoryEvent.QuarantineEnded ended) {
      commit(new QuarantineEndEvent(), ended, ended.bytes(), ended.nanos(), "");
    } else if (event instanceof MemoryEvent.ContainerPressure pressure) {
      ContainerEvent recorded = new ContainerEvent();
      recorded.refusing = pressure.refusing();
      recorded.limit = pressure.limitBytes();
      recorded.group = pressure.group();
      commit(recorded, pressure, pressure.usedBytes(), pressure.nanos(), "");
    }
  }

  private static void commit(
      Recorded recorded, MemoryEvent event, long bytes, long nanos, String rung) {
    if (recorded.shouldCommit()) {
      recorded.task = event.taskAttemptId();
      recorded.operator = event.operator();
      recorded.bytes = bytes;
      recorded.took = nanos;
      recorded.rung = rung;
      recorded.commit();
    }
  }

  @Category({"Spillway", "Memory"})
  @StackTrace(false)
  @SuppressWarnings("UnusedVariable") // the recorder reads them
  private abstract static class Recorded extends Event {
    @Label("Task attempt")
    long task;

    @Label("Operator")
    String operator;

    @Label("Bytes")
    @DataAmount
    long bytes;

    @Label("Took")
    @Timespan
    long took;

    @Label("Rung")
    @Description("Of the pressure ladder, where the event belongs to one")
    String rung;
  }

  @Name("io.spillway.Spill")
  @Label("Native memory: spill")
  private static final class SpillEvent extends Recorded {}

  @Name("io.spillway.Pressure")
  @Label("Native memory: pressure")
  private static final class PressureEvent extends Recorded {}

  @Name("io.spillway.Grant")
  @Label("Native memory: granted after a rung")
  private static final class GrantEvent extends Recorded {}

  @Name("io.spillway.Retry")
  @Label("Native memory: step repeated")
  @SuppressWarnings("UnusedVariable") // the recorder reads them
  private static final class RetryEvent extends Recorded {
    @Label("From row")
    int fromRow;

    @Label("To row")
    int toRow;
  }

  @Name("io.spillway.Denial")
  @Label("Native memory: denied")
  private static final class DenialEvent extends Recorded {}

  @Name("io.spillway.Leak")
  @Label("Native memory: leak")
  private static final class LeakEvent extends Recorded {}

  @Name("io.spillway.Reclaim")
  @Label("Native memory: reclaimed")
  private static final class ReclaimEvent extends Recorded {}

  @Name("io.spillway.Quarantine")
  @Label("Native memory: in use after its task")
  private static final class QuarantineEvent extends Recorded {}

  @Name("io.spillway.QuarantineEnd")
  @Label("Native memory: freed after its task")
  private static final class QuarantineEndEvent extends Recorded {}

  @Name("io.spillway.Container")
  @Label("Native memory: the container near its limit")
  @SuppressWarnings("UnusedVariable") // the recorder reads them
  private static final class ContainerEvent extends Recorded {
    @Label("Growth is refused")
    boolean refusing;

    @Label("Limit")
    @DataAmount
    long limit;

    @Label("Group")
    String group;
  }
}
