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

  private final Thread taskThread;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile Thread reader;
  private volatile boolean closed;

  /**
   * @param taskThread null if it is not known here; then every thread counts as another one
   */
  ReaderGate(Thread taskThread) {
    this.taskThread = taskThread;
  }

  /** Whether the calling thread is not the task's. */
  boolean isForeign() {
    return Thread.currentThread() != taskThread;
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
    if (!await()) {
      Thread inside = reader;
      if (inside != null) {
        inside.interrupt();
      }
      if (!await()) {
        LOG.error("Thread {} still reads rows of a task that has ended", reader);
      }
    }
  }

  /** A task that is killed, before or meanwhile, waits all the same; it stays interrupted. */
  private boolean await() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          boolean outside = lock.tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
          if (outside) {
            lock.unlock();
          }
          return outside;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
