package io.spillway.operator;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.DataType;

/**
 * A join and the types of what goes in and comes out. Immutable.
 *
 * @param leftTypes of the left child's columns
 * @param rightTypes of the right child's
 * @param outputTypes of the columns that come out
 */
record JoinShape(
    JoinSpec spec,
    List<DataType> leftTypes,
    List<DataType> rightTypes,
    List<DataType> outputTypes) {
  List<DataType> buildTypes() {
    return spec.buildLeft() ? leftTypes : rightTypes;
  }

  List<DataType> probeTypes() {
    return spec.buildLeft() ? rightTypes : leftTypes;
  }

  /** The most rows of a slice in the memory that the operator has. */
  int maxRows(OperatorContext context) {
    List<DataType> all = new ArrayList<>(leftTypes);
    all.addAll(rightTypes);
    return context.batchRows(all);
  }

  /** What the passes of this join in the operator's task share. */
  JoinFrame frame(OperatorContext context) {
    return new JoinFrame(context, spec, leftTypes, rightTypes, outputTypes, maxRows(context));
  }

  /** The part of {@link #frame} that is needed to fill a table. */
  JoinFrame fillingFrame(OperatorContext context) {
    return new JoinFrame(context, spec, leftTypes, rightTypes, null, maxRows(context));
  }
}
