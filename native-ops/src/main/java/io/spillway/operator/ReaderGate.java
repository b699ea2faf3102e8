package io.spillway.operator;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a thread that is not the task's from reading native rows while the task's end frees them.
 *
 * <p>Spark lets other threads pull a task's rows: the writers of {@code RDD.pipe}, {@code
 * TRANSFORM} and Python functions. They are not joined when the task ends. Such a thread takes its
 * steps through {@link #step}; the task's end closes the gate before any memory goes.
 */
final class ReaderGate {
  private static final Logger LOG = LoggerFactory.getLogger(ReaderGate.class);
  private static final long WAIT_SECONDS = 10;

  private final Thread owner = Thread.currentThread();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile Thread reader;
  private volatile boolean closed;

  /** Whether the calling thread is another one than that which made this gate. */
  boolean isForeign() {
    return Thread.currentThread() != owner;
  }

  /** Runs a step of a foreign thread, or answers {@code ended} once the task has ended. */
  <T> T step(Supplier<T> step, T ended) {
    lock.lock();
    try {
      if (closed) {
        return ended;
      }
      reader = Thread.currentThread();
      return step.get();
    } finally {
      reader = null;
      lock.unlock();
    }
  }

  /**
   * Lets no further step begin and waits for the one that is under way; a thread that waits for its
   * input is interrupted after ten seconds. On the task's thread, before memory is freed.
   */
  void close() {
    closed = true;
    // A killed task is interrupted already; the wait must happen all the same.
    boolean interrupted = Thread.interrupted();
    if (!await()) {
      Thread inside = reader;
      if (inside != null) {
        inside.interrupt();
      }
      if (!await()) {
        LOG.error("Thread {} still reads rows of a task that has ended", reader);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean await() {
    try {
      if (lock.tryLock(WAIT_SECONDS, TimeUnit.SECONDS)) {
        lock.unlock();
        return true;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }
}
