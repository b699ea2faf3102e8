package io.spillway.plan;

import io.spillway.expression.UnsupportedException;
import io.spillway.operator.NativeOperator;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.physical.RoundRobinPartitioning;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.CollectLimitExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.Exchange;
import org.apache.spark.sql.internal.SQLConf;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/**
 * Puts native operators in the place of Spark's.
 *
 * <p>It runs twice on a plan: as a query-stage preparation rule under adaptive execution (so that
 * {@code explain()} shows native operators before anything runs), and before columnar transitions
 * are inserted, which is the only chance without adaptive execution. It leaves what it already
 * replaced alone. Stateless; called by Spark on whatever thread plans.
 */
public final class NativeRules extends Rule<SparkPlan> {
  static final String TRANSITION_COST = "transition cost: rows would only pass through";

  @Override
  public SparkPlan apply(SparkPlan plan) {
    SQLConf conf = SQLConf.get();
    PlanSettings settings = PlanSettings.of(conf);
    if (!settings.enabled()) {
      return plan;
    }
    // The exchange of a stage is planned already: its readers rely on its form.
    SparkPlan untouched = StagePreparation.isStage(plan) ? plan : null;
    Pass pass = new Pass(settings, conf.ansiEnabled(), untouched);
    pass.analyse(plan, Above.root(ordersMatterAtRoot(plan)));
    pass.giveBackUnreadable(plan);
    pass.keepWorthwhile(plan);
    return pass.rebuild(plan);
  }

  /**
   * Spark drops a final sort if a sort aggregate delivers the order anyway, which needs all rows in
   * ordered partitions: one of them, for short.
   */
  private static boolean ordersMatterAtRoot(SparkPlan plan) {
    // What takes some rows of many partitions has one itself, but took them in no order.
    SparkPlan sorted = plan instanceof CollectLimitExec limit ? limit.child() : plan;
    return !(plan instanceof Exchange) && sorted.outputPartitioning().numPartitions() <= 1;
  }

  /** One run over one plan: analyse top-down, judge islands, rebuild bottom-up. */
  private static final class Pass {
    private final PlanSettings settings;
    private final boolean ansi;
    private final SparkPlan untouched;
    private final IdentityHashMap<SparkPlan, Replacement> replacements = new IdentityHashMap<>();

    Pass(PlanSettings settings, boolean ansi, SparkPlan untouched) {
      this.settings = settings;
      this.ansi = ansi;
      this.untouched = untouched;
    }

    void analyse(SparkPlan node, Above given) {
      Above above = given.of(node);
      if (Replacement.isCandidate(node) && node != untouched) {
        compile(node, above);
      }
      Replacement replacement = replacements.get(node);
      boolean ignoresOrder =
          replacement != null && replacement.ordering() == Replacement.Ordering.IGNORED;
      List<SparkPlan> children = children(node);
      for (int i = 0; i < children.size(); i++) {
        boolean demands = !requiredOrdering(node, i).isEmpty();
        analyse(children.get(i), above.below(node, demands, ignoresOrder));
      }
    }

    private void compile(SparkPlan node, Above above) {
      try {
        above.requireNoFile(node);
        Planning planning = new Planning(settings, ansi, above.ordered());
        replacements.put(node, Replacement.of(node, planning));
        FallbackReasons.clear(node);
      } catch (UnsupportedException e) {
        FallbackReasons.set(node, e.reason());
      }
    }

    /** Rows are turned into columns as a whole, so each of their columns needs a native form. */
    void giveBackUnreadable(SparkPlan node) {
      children(node).forEach(this::giveBackUnreadable);
      if (replacements.containsKey(node)) {
        for (SparkPlan input : inputsOf(node)) {
          if (!isNative(input) && !input.supportsColumnar()) {
            Replacement.withoutNativeForm(input).ifPresent(column -> giveBack(node, column));
          }
        }
      }
    }

    private void giveBack(SparkPlan node, Attribute column) {
      replacements.remove(node);
      FallbackReasons.set(node, Replacement.describe(column));
    }

    /**
     * Gives back islands in which no operator earns transitions and which do not sit on columnar
     * data, or do nothing but move it.
     */
    void keepWorthwhile(SparkPlan root) {
      if (isNative(root)) {
        List<SparkPlan> island = new ArrayList<>();
        List<SparkPlan> inputs = new ArrayList<>();
        collect(root, island, inputs);
        if (!isWorthwhile(island, inputs)) {
          for (SparkPlan node : island) {
            if (replacements.remove(node) != null) {
              FallbackReasons.set(node, TRANSITION_COST);
            }
          }
        }
        inputs.forEach(this::keepWorthwhile);
      } else {
        children(root).forEach(this::keepWorthwhile);
      }
    }

    private boolean isWorthwhile(List<SparkPlan> island, List<SparkPlan> inputs) {
      for (SparkPlan node : island) {
        Replacement replacement = replacements.get(node);
        // What an earlier run made native was judged then, with more of the plan in sight.
        if (replacement == null || replacement.earnsTransitions()) {
          return true;
        }
      }
      return !island.stream().allMatch(Pass::onlyMovesRows)
          && inputs.stream().anyMatch(SparkPlan::supportsColumnar);
    }

    /** Exchanges do, but for those in turn, which sort. */
    private static boolean onlyMovesRows(SparkPlan node) {
      return node instanceof Exchange
          && !(node.outputPartitioning() instanceof RoundRobinPartitioning);
    }

    private void collect(SparkPlan node, List<SparkPlan> island, List<SparkPlan> inputs) {
      island.add(node);
      for (SparkPlan child : inputsOf(node)) {
        if (isNative(child)) {
          collect(child, island, inputs);
        } else {
          inputs.add(child);
        }
      }
    }

    private boolean isNative(SparkPlan node) {
      return node instanceof NativeOperator || replacements.containsKey(node);
    }

    /** The children that a node will have after the replacement. */
    private List<SparkPlan> inputsOf(SparkPlan node) {
      Replacement replacement = replacements.get(node);
      return replacement != null ? replacement.inputs() : children(node);
    }

    SparkPlan rebuild(SparkPlan node) {
      Replacement replacement = replacements.get(node);
      List<SparkPlan> rebuilt = new ArrayList<>();
      boolean changed = false;
      for (SparkPlan input : inputsOf(node)) {
        SparkPlan made = rebuild(input);
        changed |= made != input;
        rebuilt.add(made);
      }
      if (replacement == null) {
        return changed ? node.withNewChildren(seq(rebuilt)) : node;
      }
      SparkPlan made = replacement.builder().apply(rebuilt);
      made.copyTagsFrom(node);
      return made;
    }

    private static List<SparkPlan> children(SparkPlan node) {
      return JavaConverters.seqAsJavaList(node.children());
    }

    private static Seq<?> requiredOrdering(SparkPlan node, int child) {
      return node.requiredChildOrdering().apply(child);
    }

    private static <T> Seq<T> seq(List<T> values) {
      return JavaConverters.asScalaBuffer(values).toList();
    }
  }
}
