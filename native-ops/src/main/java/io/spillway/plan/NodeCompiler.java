package io.spillway.plan;

import io.spillway.expression.UnsupportedException;
import java.util.List;
import org.apache.spark.sql.execution.SparkPlan;

/** Compiles one kind of Spark's operators. Stateless. */
interface NodeCompiler {
  /** All kinds that have a native counterpart. */
  List<NodeCompiler> ALL =
      List.of(
          new FilterCompiler(),
          new ProjectCompiler(),
          new AggregateNodeCompiler(),
          new SortCompiler(),
          new ShuffledJoinCompiler(),
          new BroadcastJoinCompiler(),
          new ExchangeCompiler(),
          new LimitCompiler(),
          new TakeOrderedCompiler(),
          new WindowCompiler(),
          new WindowGroupLimitCompiler(),
          new ExpandCompiler(),
          new UnionCompiler(),
          new CoalesceCompiler());

  /** Whether the node is of this kind. */
  boolean matches(SparkPlan node);

  /** The setting that turns this kind off. */
  OperatorSwitch toggle();

  /**
   * Compiles a node of this kind.
   *
   * @throws UnsupportedException with the reason if the node has to stay on the JVM
   */
  Replacement compile(SparkPlan node, Planning planning) throws UnsupportedException;
}
