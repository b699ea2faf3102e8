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
  private final Sizing sizing;
  private final LongPredicate admits;
  private final long alwaysBytes;
  private long reservedBytes;
  private long usedBytes;
  private long peakBytes;
  private long floorBytes;

  /**
   * Requests to Spark under way, and the idle bytes that they count on beside what they ask for.
   */
  private int asking;

  private long countedOnBytes;
  private boolean ended;
  private volatile boolean refusedByGuard;

  /** Chooses how much is asked for at once. */
  @FunctionalInterface
  interface Sizing {
    /**
     * Called before Spark is asked, with no lock held.
     *
     * @param missingBytes what is needed
     * @param mostBytes the same in whole quanta, or less where the container is nearly full
     * @return between the two
     */
    long ask(long missingBytes, long mostBytes);
  }

  /**
   * An empty reservation.
   *
   * @param consumer the operator as Spark sees it
   * @param quantumBytes unit of asking and giving back
   * @param returned called, with no lock held, after bytes went back to Spark
   * @param sizing of requests
   * @param admits asked, with no lock held, before more is reserved: whether the process has room
   *     for so many bytes
   * @param alwaysBytes up to here it is not asked: so little fills no container, and without it no
   *     operator could finish
   */
  Reservation(
      SparkConsumer consumer,
      long quantumBytes,
      Runnable returned,
      Sizing sizing,
      LongPredicate admits,
      long alwaysBytes) {
    this.consumer = consumer;
    this.quantumBytes = quantumBytes;
    this.returned = returned;
    this.sizing = sizing;
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

  private long take(long bytes, LongUnaryOperator mostFor) {
    if (refusedByGuard) {
      refusedByGuard = false;
    }
    long missing;
    synchronized (this) {
      missing = bytes - (reservedBytes - usedBytes);
      if (missing <= 0) {
        use(bytes);
        return 0;
      }
      startAsking();
    }
    long granted;
    try {
      granted = acquire(missing, mostFor.applyAsLong(missing));
    } catch (Throwable t) {
      // A spill failed, with or without having freed something: this request is not served by it.
      stopAsking();
      throw t;
    }
    if (arrived(granted, bytes)) {
      return granted;
    }
    // Quietly: others that wait would try, fail and return as much, and wake this one again.
    giveBack(granted, false);
    return REFUSED;
  }

  /**
   * Has {@code bytes} idle, asking Spark for what is missing, for a {@link #take} that follows.
   * Spark holds what it can grant while it makes operators spill for the rest.
   *
   * @return whether they are idle now; if not, what could be had goes back
   */
  boolean fetch(long bytes) {
    long granted = take(bytes);
    if (granted == REFUSED) {
      return false;
    }
    synchronized (this) {
      usedBytes -= bytes;
    }
    return true;
  }

  /** Whether the last refusal was the container guard's and not Spark's. */
  boolean refusedByGuard() {
    return refusedByGuard;
  }

  private void startAsking() {
    countedOnBytes = Math.max(asking == 0 ? 0 : countedOnBytes, idleBytes());
    asking++;
  }

  private synchronized void stopAsking() {
    asking--;
  }

  /** In one step with what Spark granted: idle bytes could go back to it in between. */
  private boolean arrived(long granted, long bytes) {
    synchronized (this) {
      stopAsking();
      if (!ended) {
        reservedBytes += granted;
        boolean fits = bytes <= reservedBytes - usedBytes;
        if (fits) {
          use(bytes);
        }
        return fits;
      }
    }
    returnToSpark(granted, true);
    return false;
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

  /**
   * Gives back everything idle above the minimum, except what a request under way counts on.
   *
   * @return bytes given back
   */
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
    returnToSpark(all, true);
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

  /** Reserved and in no block, the minimum included. */
  synchronized long idleBytes() {
    return reservedBytes - usedBytes;
  }

  private void use(long bytes) {
    usedBytes += bytes;
    peakBytes = Math.max(peakBytes, usedBytes);
  }

  /** No more than the guard lets through; what has to be refused for it, Spark does not hear. */
  private long acquire(long missing, long atMost) {
    return atMost < missing ? 0 : consumer.acquire(sizing.ask(missing, atMost));
  }

  /** The most to ask Spark for: whole quanta, what is missing near the limit, or nothing. */
  private long admitted(long missing) {
    long rounded = roundUp(missing);
    if (isAlwaysAdmitted(rounded) || admits.test(rounded)) {
      return rounded;
    }
    if (isAlwaysAdmitted(missing)) {
      return missing;
    }
    refusedByGuard = true;
    return 0;
  }

  private synchronized boolean isAlwaysAdmitted(long bytes) {
    return bytes <= alwaysBytes - reservedBytes;
  }

  private long giveBack(long atMost) {
    return giveBack(atMost, true);
  }

  private long giveBack(long atMost, boolean tells) {
    long back;
    synchronized (this) {
      long keep = asking > 0 ? countedOnBytes : 0;
      long idle = reservedBytes - Math.max(usedBytes + keep, floorBytes);
      back = ended ? 0 : Math.min(atMost, Math.max(0, idle));
      reservedBytes -= back;
    }
    returnToSpark(back, tells);
    return back;
  }

  private void returnToSpark(long bytes, boolean tells) {
    if (bytes > 0) {
      consumer.release(bytes);
      if (tells) {
        returned.run();
      }
    }
  }

  private long roundUp(long bytes) {
    // Beyond that no whole quantum can be counted, nor granted.
    return bytes > Long.MAX_VALUE - quantumBytes
        ? bytes
        : (bytes + quantumBytes - 1) / quantumBytes * quantumBytes;
  }
}
