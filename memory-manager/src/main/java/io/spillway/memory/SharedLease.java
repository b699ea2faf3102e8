package io.spillway.memory;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A task's hold on something shared: it is not evicted before this is closed. Closed by whoever
 * asked for it; at the latest, by the task's scope, after the operators.
 *
 * @param <T> what is shared
 */
public final class SharedLease<T> implements AutoCloseable {
  private final T value;
  private final Runnable release;
  private final Runnable drop;
  private final AtomicBoolean open = new AtomicBoolean(true);

  SharedLease(T value, Runnable release, Runnable drop) {
    this.value = value;
    this.release = release;
    this.drop = drop;
  }

  /**
   * What is shared.
   *
   * @throws IllegalStateException if this lease is closed: its memory may be gone
   */
  public T value() {
    if (!open.get()) {
      throw new IllegalStateException("the lease of " + value + " is closed");
    }
    return value;
  }

  /**
   * What is shared is broken, such as a damaged file: no further task gets it, the next one that
   * asks builds anew. It is freed with its last lease; this one stays open. Idempotent.
   */
  public void forget() {
    drop.run();
  }

  /** What is shared may be evicted, as far as this task goes. Idempotent. */
  @Override
  public void close() {
    if (open.compareAndSet(true, false)) {
      release.run();
    }
  }
}
