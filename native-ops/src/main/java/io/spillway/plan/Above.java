package io.spillway.plan;

import io.spillway.expression.UnsupportedException;
import io.spillway.operator.NativeFilterExec;
import io.spillway.operator.NativeProjectExec;
import io.spillway.operator.NativeSortExec;
import io.spillway.operator.NativeTopNExec;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.InputFileBlockLength;
import org.apache.spark.sql.catalyst.expressions.InputFileBlockStart;
import org.apache.spark.sql.catalyst.expressions.InputFileName;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.TakeOrderedAndProjectExec;
import org.apache.spark.sql.execution.exchange.Exchange;
import scala.collection.JavaConverters;

/**
 * What the operators above a node rely on. Immutable.
 *
 * @param ordered the order of its rows
 * @param sortedAgain whatever order its rows come in, it is made anew or lost before anyone looks
 * @param file that the scan beneath it is still at the file that a row is of, when the row comes
 */
record Above(boolean ordered, boolean sortedAgain, boolean file) {
  /** Above a plan's topmost node. */
  static Above root(boolean ordered) {
    return new Above(ordered, false, false);
  }

  /** With what a query says of a node itself: that its rows are to be sorted. */
  Above of(SparkPlan node) {
    return new Above(ordered || (!sortedAgain && SortMarks.isSorted(node)), sortedAgain, file);
  }

  /**
   * What holds for a child.
   *
   * @param demands whether the node itself needs the child's rows in an order
   * @param ignores whether its native form does not, and passes none on
   */
  Above below(SparkPlan node, boolean demands, boolean ignores) {
    boolean fresh =
        node instanceof Exchange
            || node instanceof SortExec
            || node instanceof TakeOrderedAndProjectExec
            || node instanceof NativeSortExec
            || node instanceof NativeTopNExec;
    boolean keeps =
        node instanceof ProjectExec
            || node instanceof FilterExec
            || node instanceof NativeProjectExec
            || node instanceof NativeFilterExec;
    return new Above(
        !ignores && (demands || (ordered && !fresh)),
        ignores || fresh || (keeps && sortedAgain),
        !(node instanceof Exchange) && (file || asksForFile(node)));
  }

  /**
   * Native operators take many rows at a time, of several files where one task reads several.
   *
   * @throws UnsupportedException if rows of a node must not be held back
   */
  void requireNoFile(SparkPlan node) throws UnsupportedException {
    if (file && !(node instanceof Exchange)) {
      throw new UnsupportedException("input_file_name() above it needs its rows one by one");
    }
  }

  private static boolean asksForFile(SparkPlan node) {
    return JavaConverters.seqAsJavaList(node.expressions()).stream().anyMatch(Above::asksForFile);
  }

  private static boolean asksForFile(Expression expression) {
    return expression instanceof InputFileName
        || expression instanceof InputFileBlockStart
        || expression instanceof InputFileBlockLength
        || JavaConverters.seqAsJavaList(expression.children()).stream()
            .anyMatch(Above::asksForFile);
  }
}
