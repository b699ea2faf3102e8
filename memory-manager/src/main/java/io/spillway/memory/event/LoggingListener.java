package io.spillway.memory.event;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes events to the log: leaks as errors, denials as warnings, the rest for those who look. */
public final class LoggingListener implements MemoryEventListener {
  private static final Logger LOG = LoggerFactory.getLogger("io.spillway.memory.events");

  private final SpillLog spills = new SpillLog(LOG, System::nanoTime);

  @Override
  public void onEvent(MemoryEvent event) {
    if (event instanceof MemoryEvent.Leaked leaked) {
      LOG.error(
          "Native memory leaked, and freed by its task: task {} / {} left {} bytes in {} block(s)",
          leaked.taskAttemptId(),
          leaked.operator(),
          leaked.bytes(),
          leaked.blocks(),
          leaked.site());
    } else if (event instanceof MemoryEvent.Denied denied) {
      LOG.warn(
          "Native memory denied: task {} / {} asked for {} bytes, {} ms on the ladder",
          denied.taskAttemptId(),
          denied.operator(),
          denied.askedBytes(),
          denied.nanos() / 1_000_000);
    } else if (event instanceof MemoryEvent.ContainerPressure pressure) {
      log(pressure);
    } else if (event instanceof MemoryEvent.Spilled spilled) {
      spills.add(spilled);
    } else if (event instanceof MemoryEvent.Reclaimed reclaimed) {
      LOG.info(
          "Reclaimed: task {} failed, {} had {} bytes in {} block(s)",
          reclaimed.taskAttemptId(),
          reclaimed.operator(),
          reclaimed.bytes(),
          reclaimed.blocks());
    } else {
      LOG.debug("{}", event);
    }
  }

  private static void log(MemoryEvent.ContainerPressure event) {
    if (event.refusing()) {
      LOG.warn(
          "The container is near its limit: {} of {} bytes used in {} ({} resident in this process,"
              + " {} of native operators). Tasks spill, and may not grow until there is room",
          event.usedBytes(),
          event.limitBytes(),
          event.group(),
          event.residentBytes(),
          event.ledgerBytes());
    } else {
      LOG.info(
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
