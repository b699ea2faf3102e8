package io.spillway.operator;

import java.util.Iterator;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;

/**
 * The rows of a columnar broadcast. Immutable.
 *
 * <p>Kept to what scalac's parser of Java understands.
 */
public interface CollectedRows {
  /** What is broadcast: of classes that Kryo knows without being told of them. */
  Object value();

  /** Number of rows. */
  long rows();

  /** Bytes of the rows' images before compression. */
  long bytes();

  /**
   * The rows, on the heap alone, so on the driver too; used by one thread.
   *
   * @param types of their columns
   * @return each row is valid until the next one is asked for
   */
  Iterator<UnsafeRow> unsafeRows(DataType[] types);
}
