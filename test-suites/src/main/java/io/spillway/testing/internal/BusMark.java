package io.spillway.testing.internal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * Posted to Spark's listeners to learn that one of them has been told of everything before. Waiting
 * for the bus to be empty would do too, but Spark looks only each 10 ms whether it is.
 */
final class BusMark implements SparkListenerEvent {
  private final CountDownLatch seen = new CountDownLatch(1);

  /** Called by the listener. */
  void seen() {
    seen.countDown();
  }

  /** Whether the listener came to it in time. */
  boolean await(long millis) throws InterruptedException {
    return seen.await(millis, TimeUnit.MILLISECONDS);
  }

  @Override
  public boolean logEvent() {
    return false;
  }
}
