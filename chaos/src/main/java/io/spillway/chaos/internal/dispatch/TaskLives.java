package io.spillway.chaos.internal.dispatch;

import io.spillway.chaos.FaultPoint;
import io.spillway.chaos.internal.report.LineFile;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ObjLongConsumer;

/**
 * Follows the attempts of this JVM's tasks while a plan is armed, from the start of their bodies to
 * Spark's clean-up, and has it written down how they end. Any thread.
 */
public final class TaskLives {
  /** What a task's memory manager still holds; the reason as text where that cannot be asked. */
  private static final ClassValue<Object> CONSUMERS =
      new ClassValue<>() {
        @Override
        protected Object computeValue(Class<?> manager) {
          try {
            return new ConsumersLeft(manager);
          } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            Console.say("how attempts end is not recorded: " + e);
            return e.toString();
          }
        }
      };

  private final Attempts attempts;
  private final TaskJournal journal;
  private final AtomicReference<ClassLoader> loader = new AtomicReference<>();
  private volatile String executor;

  /**
   * @param attemptsFile where it is written down how attempts end; the caller closes it
   * @param ended takes over the calls of each point when an attempt ends
   */
  TaskLives(
      long seed, List<ArmedRule> rules, LineFile attemptsFile, ObjLongConsumer<FaultPoint> ended) {
    this.attempts = new Attempts(seed, rules, ended);
    this.journal = new TaskJournal(attemptsFile);
  }

  /** Takes over what is known of this JVM; the counts begin at 0. */
  void follow(TaskLives before) {
    executor = before.executor;
    loader.set(before.loader.get());
  }

  /**
   * A task's body is about to run. Its attempt is known from here on, whatever points it reaches.
   *
   * @param seam the instrumented class
   */
  void started(Class<?> seam) {
    if (TaskAccess.of(seam) instanceof TaskAccess spark) {
      var unused = attempts.current(spark);
      askExecutor(spark);
      if (loader.get() == null) {
        loader.set(Thread.currentThread().getContextClassLoader());
      }
    }
  }

  /**
   * A task's body has ended: what its clean-up reaches counts as outside a task.
   *
   * @param context Spark's task context
   */
  void completing(Object context) {
    if (TaskAccess.of(context.getClass()) instanceof TaskAccess spark) {
      attempts.completing(spark.taskAttemptId(context));
    }
  }

  /**
   * Spark is about to take back what an attempt still holds: the last of it.
   *
   * @param manager Spark's task memory manager
   */
  void cleanedUp(Object manager) {
    if (CONSUMERS.get(manager.getClass()) instanceof ConsumersLeft left) {
      Attempt attempt = attempts.takeEnded(left.taskAttemptId(manager));
      if (attempt != null) {
        journal.ended(attempt, executor, left.of(manager));
      }
    }
  }

  /** The attempt that this thread works for. */
  Attempt current(TaskAccess spark) {
    return attempts.current(spark);
  }

  /** Calls of a point by the attempts that still run, and by everything outside tasks. */
  long calls(FaultPoint point) {
    return attempts.calls(point);
  }

  /** The executor's id, asked once; null before Spark has started. */
  String askExecutor(TaskAccess spark) {
    if (executor == null) {
      executor = spark.executorId();
    }
    return executor;
  }

  /** The executor's id, once a task has run or something has fired; else null. */
  public String executor() {
    return executor;
  }

  /** The class loader of the tasks, once one has run; else null. */
  public ClassLoader loader() {
    return loader.get();
  }

  /** Attempts that have ended. */
  public long endedAttempts() {
    return journal.endedAttempts();
  }

  /** Those of them that failed or were killed. */
  public long failedAttempts() {
    return journal.failedAttempts();
  }

  /** Bytes that Spark's clean-up found charged to attempts that had succeeded. */
  public long leakedBytes() {
    return journal.leakedBytes();
  }

  /** Task attempts whose counts are held: 0 when no task runs. */
  public int heldAttempts() {
    return attempts.size();
  }
}
