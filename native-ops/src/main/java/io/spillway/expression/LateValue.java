package io.spillway.expression;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.types.DataType;

/**
 * Stands for the value of a constant that is known when a query runs and not when it is planned.
 *
 * @param id of the subquery that makes it
 * @param field of the structure that the subquery gives, as Spark merges several into one; -1: the
 *     value itself
 * @param type of the value
 */
record LateValue(ExprId id, int field, DataType type) implements Serializable {
  static final int WHOLE = -1;
}
