package io.spillway.operator;

import org.apache.spark.broadcast.Broadcast;

/**
 * A broadcast exchange whose value is that of {@link CollectedRows}.
 *
 * <p>Kept to what scalac's parser of Java understands.
 */
public interface NativeBroadcast {
  /**
   * Waits for the rows, for {@code spark.sql.broadcastTimeout} at the most; on the driver. It
   * throws Spark's own exception if that passes, and whatever kept the rows from being collected.
   *
   * @return its value is that of {@link CollectedRows}
   */
  Broadcast<Object> awaitRows();
}
