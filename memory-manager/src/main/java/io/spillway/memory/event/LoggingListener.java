package io.spillway.memory.event;

import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes events to the log: leaks and quarantines as errors, each of them; an episode of the
 * container guard as a warning and a line at its end; denials as warnings, what was reclaimed and
 * spilled as information, at most a line of each kind a second; the rest for those who look.
 */
public final class LoggingListener implements MemoryEventListener {
  private static final Logger LOG = LoggerFactory.getLogger("io.spillway.memory.events");

  private final Logger log;
  private final SpillLog spills;
  private final LineGate denials;
  private final LineGate reclaims;

  /** Writes to the logger {@code io.spillway.memory.events}. */
  public LoggingListener() {
    this(LOG, System::nanoTime);
  }

  LoggingListener(Logger log, LongSupplier nanoClock) {
    this.log = log;
    spills = new SpillLog(log, nanoClock);
    denials = new LineGate(nanoClock);
    reclaims = new LineGate(nanoClock);
  }

  @Override
  public void onEvent(MemoryEvent event) {
    if (event instanceof MemoryEvent.Leaked leaked) {
      log.error(
          "Native memory leaked, and freed by its task: task {} / {} left {} bytes in {} block(s)",
          leaked.taskAttemptId(),
          leaked.operator(),
          leaked.bytes(),
          leaked.blocks(),
          leaked.site());
    } else if (event instanceof MemoryEvent.Quarantined quarantined) {
      log.error(
          "Task {} has ended, but thread(s) {} still use its native memory: {} bytes in {} block(s)"
              + " of {} are kept until they are done",
          quarantined.taskAttemptId(),
          String.join(", ", quarantined.threads()),
          quarantined.bytes(),
          quarantined.blocks(),
          quarantined.operator());
    } else if (event instanceof MemoryEvent.QuarantineEnded ended) {
      log.info(
          "Freed after the thread that had used it: {} bytes in {} block(s) of task {} / {}, {} ms"
              + " after the task",
          ended.bytes(),
          ended.blocks(),
          ended.taskAttemptId(),
          ended.operator(),
          ended.nanos() / 1_000_000);
    } else if (event instanceof MemoryEvent.Denied denied) {
      denied(denied, denials.pass());
    } else if (event instanceof MemoryEvent.ContainerPressure pressure) {
      containerPressure(pressure);
    } else if (event instanceof MemoryEvent.Spilled spilled) {
      spills.add(spilled);
    } else if (event instanceof MemoryEvent.Reclaimed reclaimed) {
      reclaimed(reclaimed, reclaims.pass());
    } else {
      log.debug("{}", event);
    }
  }

  private void denied(MemoryEvent.Denied event, long heldBack) {
    if (heldBack != LineGate.SHUT) {
      log.warn(
          "Native memory denied: task {} / {} asked for {} bytes, {} ms on the ladder; {} such"
              + " line(s) held back before",
          event.taskAttemptId(),
          event.operator(),
          event.askedBytes(),
          event.nanos() / 1_000_000,
          heldBack);
    }
  }

  private void reclaimed(MemoryEvent.Reclaimed event, long heldBack) {
    if (heldBack != LineGate.SHUT) {
      log.info(
          "Reclaimed: task {} failed, {} had {} bytes in {} block(s); {} such line(s) held back"
              + " before",
          event.taskAttemptId(),
          event.operator(),
          event.bytes(),
          event.blocks(),
          heldBack);
    }
  }

  private void containerPressure(MemoryEvent.ContainerPressure event) {
    if (event.refusing()) {
      log.warn(
          "The container is near its limit: {} of {} bytes used in {} ({} resident in this process,"
              + " {} of native operators). Tasks spill, and may not grow until there is room",
          event.usedBytes(),
          event.limitBytes(),
          event.group(),
          event.residentBytes(),
          event.ledgerBytes());
    } else {
      log.info(
          "The container has room again after {} ms: {} of {} bytes used in {} ({} resident in this"
              + " process, {} of native operators)",
          event.nanos() / 1_000_000,
          event.usedBytes(),
          event.limitBytes(),
          event.group(),
          event.residentBytes(),
          event.ledgerBytes());
    }
  }
}
