package io.spillway.plan;

import io.spillway.expression.NativeTypes;
import io.spillway.expression.UnsupportedException;
import io.spillway.kernel.Abi;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.JavaConverters;

/**
 * The native counterpart of one node: already compiled, not yet built.
 *
 * @param earnsTransitions whether this operator alone makes a native island worth its transitions
 * @param ordering what it does with the order of its input
 * @param inputs what it will stand on: the node's children, or what lies beneath a child that goes
 *     away with the node
 * @param builder makes the native nodes over the inputs, which come in the same order
 */
record Replacement(
    boolean earnsTransitions,
    Ordering ordering,
    List<SparkPlan> inputs,
    Function<List<SparkPlan>, SparkPlan> builder) {

  /** What a native operator does with the order of its input. */
  enum Ordering {
    /** Its output is in the order of its input, as that of the node it replaces. */
    KEPT,
    /** It neither needs an order nor passes one on. */
    IGNORED
  }

  /** An operator over one child whose order it keeps. */
  static Replacement keepingOrder(SparkPlan child, Function<SparkPlan, SparkPlan> builder) {
    return new Replacement(
        false, Ordering.KEPT, List.of(child), inputs -> builder.apply(inputs.get(0)));
  }

  /** Whether this kind of node has a native counterpart at all. */
  static boolean isCandidate(SparkPlan node) {
    return NodeCompiler.ALL.stream().anyMatch(kind -> kind.matches(node));
  }

  /**
   * Compiles a node.
   *
   * @throws UnsupportedException with the reason if the node has to stay on the JVM
   */
  static Replacement of(SparkPlan node, Planning planning) throws UnsupportedException {
    int columns = node.output().size();
    for (SparkPlan child : JavaConverters.seqAsJavaList(node.children())) {
      columns = Math.max(columns, child.output().size());
    }
    if (columns > Abi.ROW_BATCH_MAX_COLUMNS) {
      throw new UnsupportedException(
          columns + " columns; transitions take " + Abi.ROW_BATCH_MAX_COLUMNS);
    }
    for (NodeCompiler kind : NodeCompiler.ALL) {
      if (kind.matches(node)) {
        planning.requireEnabled(kind.toggle());
        Replacement compiled = kind.compile(node, planning);
        planning.requireHealthy(kind.toggle(), node);
        return compiled;
      }
    }
    throw new UnsupportedException("operator " + node.nodeName());
  }

  /** The columns of a plan. */
  static List<Attribute> output(SparkPlan plan) {
    return JavaConverters.seqAsJavaList(plan.output());
  }

  /**
   * For operators that copy whole rows.
   *
   * @throws UnsupportedException naming a column that kernels have no type for
   */
  static void requireNativeForms(SparkPlan plan) throws UnsupportedException {
    Optional<Attribute> foreign = withoutNativeForm(plan);
    if (foreign.isPresent()) {
      throw new UnsupportedException(describe(foreign.get()));
    }
  }

  /** The first column that kernels have no type for. */
  static Optional<Attribute> withoutNativeForm(SparkPlan plan) {
    return output(plan).stream()
        .filter(column -> NativeTypes.of(column.dataType()).isEmpty())
        .findFirst();
  }

  static String describe(Attribute column) {
    return "column " + column.name() + " has type " + column.dataType().simpleString();
  }
}
