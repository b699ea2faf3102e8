package io.spillway.plugin;

import io.spillway.memory.ExecutorMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives back what an executor's tasks shared, such as the tables of broadcast joins, when the
 * queries that used it have ended. Spark tells executors nothing of queries, so the driver is
 * asked, on a thread of its own, as long as there is something that no task uses; otherwise nothing
 * is sent. Of jobs that are no query the driver does not know either: what they shared goes when
 * nobody has used it for a minute.
 */
final class SharedMemoryKeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SharedMemoryKeeper.class);
  private static final long TICK_MILLIS = 25;

  /** Most queries end soon after their last task; of a long one it asks four times a second. */
  private static final int MOST_TICKS = 10;

  /** Jobs of no query, such as those of a {@code toLocalIterator}, come one after the other. */
  private static final Duration IDLE = Duration.ofMinutes(1);

  private final PluginContext context;
  private final ExecutorMemory memory;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread made = new Thread(task, "spillway-shared-memory");
            made.setDaemon(true);
            return made;
          });

  private final ScheduledFuture<?> looking;

  /** The queries that were asked for, how many ticks ago, and how many are to pass in between. */
  private Set<String> asked = Set.of();

  private int ticks;
  private int interval;

  SharedMemoryKeeper(PluginContext context, ExecutorMemory memory) {
    this.context = context;
    this.memory = memory;
    looking =
        thread.scheduleWithFixedDelay(this::look, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void look() {
    try {
      memory.shared().evictIdle(IDLE);
      Set<String> queries = memory.shared().queriesOfUnused();
      if (!queries.isEmpty() && isTime(queries)) {
        ask(queries);
      }
    } catch (Exception | Error e) {
      // Whatever it was must not end the timer. Asked again; until then what is shared stays, as it
      // would for want of an answer, and is evicted when somebody needs the room.
      LOG.debug("The driver did not say which queries have ended", e);
    }
  }

  /** At once for queries that are new, then ever less often. */
  private boolean isTime(Set<String> queries) {
    if (!queries.equals(asked)) {
      asked = queries;
      interval = 1;
    }
    ticks++;
    if (ticks < interval) {
      return false;
    }
    ticks = 0;
    interval = Math.min(2 * interval, MOST_TICKS);
    return true;
  }

  private void ask(Set<String> queries) throws Exception {
    ExecutorMessage question =
        new ExecutorMessage.Queries(context.executorID(), new ArrayList<>(queries));
    if (context.ask(question.toWire()) instanceof List<?> answer) {
      Set<String> ended = new HashSet<>();
      answer.forEach(id -> ended.add(String.valueOf(id)));
      memory.shared().evictUnusedOf(ended);
    }
  }

  /** Asks no more. Idempotent. */
  @Override
  public void close() {
    looking.cancel(true);
    thread.shutdownNow();
  }
}
