package io.spillway.plugin;

import io.spillway.plan.LocalReads;
import io.spillway.plan.SortMarks;
import io.spillway.plan.StagePreparation;
import io.spillway.plan.TransitionRules;
import org.apache.spark.sql.SparkSessionExtensions;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * Puts Spillway's rules into a session. The driver plugin names it in {@code spark.sql.extensions};
 * used without the plugin it would plan operators that no executor can run.
 */
public final class SpillwayExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    extensions.injectPlannerStrategy(session -> new SortMarks());
    extensions.injectQueryStagePrepRule(session -> new StagePreparation());
    extensions.injectQueryStageOptimizerRule(session -> new LocalReads());
    extensions.injectColumnar(session -> new TransitionRules());
    return BoxedUnit.UNIT;
  }
}
