package io.spillway.plan;

import io.spillway.expression.UnsupportedException;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;

/** The rows that a window function's value covers: makes figures over them. */
interface Covered {
  /**
   * A figure, as an expression over columns of the window.
   *
   * @param op one of {@link io.spillway.kernel.WindowAbi}'s
   * @param input null if none is read
   * @param type of the figure
   * @param ignoreNulls for the first and the last value
   * @throws UnsupportedException with the reason if it stays on the JVM
   */
  Expression figure(int op, Expression input, DataType type, boolean ignoreNulls)
      throws UnsupportedException;
}
