package io.spillway.plan;

import io.spillway.expression.NativeTypes;
import io.spillway.operator.NativeColumnarToRowExec;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.columnar.CachedBatchSerializer;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.columnar.InMemoryRelation;
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec;
import org.apache.spark.sql.internal.SQLConf;
import scala.collection.JavaConverters;

/** What is to be said of the scans of cached frames. Stateless. */
final class CachedScans {
  private static final String SERIALIZER = "spark.sql.cache.serializer";

  private CachedScans() {}

  /** Why a cached frame is read by rows; empty if it is not, or if nothing is to be native. */
  static Optional<String> reason(InMemoryTableScanExec scan) {
    SQLConf conf = SQLConf.get();
    PlanSettings settings = PlanSettings.of(conf);
    if (scan.supportsColumnar() || !settings.enabled()) {
      return Optional.empty();
    }
    InMemoryRelation relation = scan.relation();
    CachedBatchSerializer serializer = relation.cacheBuilder().serializer();
    if (!(serializer instanceof SpillwayCachedBatchSerializer)) {
      return Optional.of(
          "cached by "
              + serializer.getClass().getName()
              + ": to cache frames in columns leave "
              + SERIALIZER
              + " unset before the application starts, or set it to "
              + SpillwayCachedBatchSerializer.class.getName());
    }
    Optional<String> nothing = Installation.gate().refusalOfAll();
    if (nothing.isPresent()) {
      return nothing;
    }
    if (!settings.enabled(OperatorSwitch.CACHE)) {
      return Optional.of(OperatorSwitch.CACHE.key() + " is false");
    }
    for (Attribute column : JavaConverters.seqAsJavaList(relation.output())) {
      if (NativeTypes.of(column.dataType()).isEmpty()) {
        return Optional.of("cached by rows: " + Replacement.describe(column));
      }
    }
    return Optional.of(
        conf.cacheVectorizedReaderEnabled()
            ? relation.output().size()
                + " columns; Spark reads cached frames in columns up to spark.sql.codegen.maxFields="
                + conf.wholeStageMaxNumFields()
            : "spark.sql.inMemoryColumnarStorage.enableVectorizedReader is false");
  }

  /**
   * The plan that fills a cached frame, without the rows that its last transition would make:
   * Spillway's cache takes batches.
   */
  static SparkPlan cachedPlan(InMemoryTableScanExec scan) {
    InMemoryRelation relation = scan.relation();
    SparkPlan plan = relation.cachedPlan();
    if (!(relation.cacheBuilder().serializer() instanceof SpillwayCachedBatchSerializer)) {
      return plan;
    }
    SparkPlan last =
        plan instanceof AdaptiveSparkPlanExec adaptive ? adaptive.executedPlan() : plan;
    return last instanceof NativeColumnarToRowExec rows ? rows.child() : plan;
  }
}
