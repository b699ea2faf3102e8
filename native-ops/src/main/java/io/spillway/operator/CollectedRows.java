package io.spillway.operator;

import java.io.Serializable;

/**
 * What a columnar broadcast broadcasts. Immutable.
 *
 * <p>Kept to what scalac's parser of Java understands.
 */
public interface CollectedRows extends Serializable {
  /** Number of rows. */
  long rows();

  /** Bytes of the rows' images before compression. */
  long bytes();
}
