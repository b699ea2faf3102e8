package io.spillway.memory;

import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;

/**
 * What one operator has reserved with Spark, and how much of it is in blocks. Reserves in quanta;
 * the idle part is kept up to a quantum.
 *
 * <p>Its lock is a leaf: Spark is never called while it is held. Spark may call {@code spill()}
 * from inside a reservation, on the same thread, which changes the figures in between: they are
 * looked at anew afterwards.
 */
final class Reservation {
  /** The answer of {@link #take} when Spark grants less than is needed. */
  static final long REFUSED = -1;

  private final SparkConsumer consumer;
  private final long quantumBytes;
  private final Runnable returned;
  private final LongPredicate admits;
  private final long alwaysBytes;
  private long reservedBytes;
  private long usedBytes;
  private long peakBytes;
  private long floorBytes;
  private boolean ended;

  /**
   * An empty reservation.
   *
   * @param consumer the operator as Spark sees it
   * @param quantumBytes unit of asking and giving back
   * @param returned called, with no lock held, after bytes went back to Spark
   * @param admits asked, with no lock held, before more is reserved: whether the process has room
   *     for so many bytes
   * @param alwaysBytes up to here it is not asked: so little fills no container, and without it no
   *     operator could finish
   */
  Reservation(
      SparkConsumer consumer,
      long quantumBytes,
      Runnable returned,
      LongPredicate admits,
      long alwaysBytes) {
    this.consumer = consumer;
    this.quantumBytes = quantumBytes;
    this.returned = returned;
    this.admits = admits;
    this.alwaysBytes = alwaysBytes;
  }

  /**
   * Moves {@code bytes} from idle to used, asking Spark for what is missing.
   *
   * @return bytes newly acquired from Spark, to be handed to {@link #undo} if the step that follows
   *     fails; or {@link #REFUSED}, with all figures as before
   */
  long take(long bytes) {
    return take(bytes, this::admitted);
  }

  /**
   * The same for bytes that exist already and only change hands, so that the process does not grow.
   */
  long takeOver(long bytes) {
    return take(bytes, this::roundUp);
  }

  private long take(long bytes, LongUnaryOperator askFor) {
    long missing;
    synchronized (this) {
      missing = usedBytes + bytes - reservedBytes;
      if (missing <= 0) {
        use(bytes);
        return 0;
      }
    }
    long granted = acquire(askFor.applyAsLong(missing));
    synchronized (this) {
      if (usedBytes + bytes <= reservedBytes) {
        use(bytes);
        return granted;
      }
    }
    giveBack(granted);
    return REFUSED;
  }

  /** Reverts a {@link #take}: used again as before, and what Spark granted for it goes back. */
  void undo(long bytes, long granted) {
    synchronized (this) {
      usedBytes -= bytes;
    }
    giveBack(granted);
  }

  /** Moves bytes from used to idle; idle beyond a quantum goes back to Spark. */
  void release(long bytes) {
    long excess;
    synchronized (this) {
      usedBytes -= bytes;
      long idle = reservedBytes - Math.max(usedBytes, floorBytes);
      excess = idle > quantumBytes ? idle / quantumBytes * quantumBytes : 0;
    }
    giveBack(excess);
  }

  /** Acquires a minimum that stays reserved until the end; false with all figures as before. */
  boolean keepAtLeast(long bytes) {
    long granted = take(bytes);
    if (granted == REFUSED) {
      return false;
    }
    synchronized (this) {
      usedBytes -= bytes;
      floorBytes = bytes;
    }
    return true;
  }

  /** Gives back everything idle above the minimum; the bytes given back. */
  long giveBackIdle() {
    return giveBack(Long.MAX_VALUE);
  }

  /** Gives everything back. Blocks must have been released; later calls change nothing at Spark. */
  void close() {
    long all;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      all = reservedBytes;
      reservedBytes = 0;
    }
    returnToSpark(all);
  }

  /** Spark has taken everything back by itself: forget it without releasing it a second time. */
  synchronized void abandon() {
    ended = true;
    reservedBytes = 0;
  }

  synchronized long reservedBytes() {
    return reservedBytes;
  }

  synchronized long usedBytes() {
    return usedBytes;
  }

  synchronized long peakBytes() {
    return peakBytes;
  }

  private void use(long bytes) {
    usedBytes += bytes;
    peakBytes = Math.max(peakBytes, usedBytes);
  }

  /** What to ask Spark for: whole quanta, no more than is missing near the limit, or nothing. */
  private long admitted(long missing) {
    long rounded = roundUp(missing);
    if (isAlwaysAdmitted(rounded) || admits.test(rounded)) {
      return rounded;
    }
    return isAlwaysAdmitted(missing) ? missing : 0;
  }

  private synchronized boolean isAlwaysAdmitted(long bytes) {
    return reservedBytes + bytes <= alwaysBytes;
  }

  private long acquire(long bytes) {
    if (bytes == 0) {
      return 0;
    }
    long granted = consumer.acquire(bytes);
    synchronized (this) {
      if (!ended) {
        reservedBytes += granted;
        return granted;
      }
    }
    returnToSpark(granted);
    return 0;
  }

  private long giveBack(long atMost) {
    long back;
    synchronized (this) {
      long idle = Math.max(0, reservedBytes - Math.max(usedBytes, floorBytes));
      back = ended ? 0 : Math.min(atMost, idle);
      reservedBytes -= back;
    }
    returnToSpark(back);
    return back;
  }

  private void returnToSpark(long bytes) {
    if (bytes > 0) {
      consumer.release(bytes);
      returned.run();
    }
  }

  private long roundUp(long bytes) {
    return Math.addExact(bytes, quantumBytes - 1) / quantumBytes * quantumBytes;
  }
}
