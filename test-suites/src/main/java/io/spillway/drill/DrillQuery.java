package io.spillway.drill;

import java.util.function.BiFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * One query of the drill.
 *
 * @param name name in every report, and the label that a fault plan can select by
 * @param ordered whether the query orders its result totally, so that rows are compared in order
 * @param prepare makes what the query reads; runs before the clock starts; may be null
 * @param frame builds the query
 */
record DrillQuery(
    String name,
    boolean ordered,
    Preparation prepare,
    BiFunction<SparkSession, DrillData, Dataset<Row>> frame) {

  /** Work that a query needs done before it, under a label of its own. */
  @FunctionalInterface
  interface Preparation {
    void run(SparkSession spark, DrillData data);
  }
}
