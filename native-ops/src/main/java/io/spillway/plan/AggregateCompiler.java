package io.spillway.plan;

import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.NativeTypes;
import io.spillway.expression.Program;
import io.spillway.expression.UnsupportedException;
import io.spillway.kernel.Abi;
import io.spillway.operator.AggregateSpec;
import io.spillway.operator.AggregateSpec.Function;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateMode;
import org.apache.spark.sql.catalyst.expressions.aggregate.Complete$;
import org.apache.spark.sql.catalyst.expressions.aggregate.Final$;
import org.apache.spark.sql.catalyst.expressions.aggregate.First;
import org.apache.spark.sql.catalyst.expressions.aggregate.Last;
import org.apache.spark.sql.catalyst.expressions.aggregate.PartialMerge$;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import scala.collection.JavaConverters;

/**
 * Turns one of Spark's aggregate operators, hash or sort based, into an {@link AggregateSpec}. One
 * use, one thread.
 */
final class AggregateCompiler implements AggregateFunctions.Inputs {
  private final List<Expression> raw = new ArrayList<>();
  private final boolean keyless;
  private int buffers;

  private AggregateCompiler(boolean keyless) {
    this.keyless = keyless;
  }

  /**
   * @throws UnsupportedException if anything in the operator has to stay on the JVM
   */
  static AggregateSpec compile(BaseAggregateExec exec, boolean ansi) throws UnsupportedException {
    return new AggregateCompiler(exec.groupingExpressions().isEmpty()).spec(exec, ansi);
  }

  @Override
  public int raw(Expression child) {
    int known = raw.indexOf(child);
    if (known >= 0) {
      return known;
    }
    raw.add(child);
    return raw.size() - 1;
  }

  @Override
  public boolean keyless() {
    return keyless;
  }

  @Override
  public int buffer() {
    return buffers++;
  }

  private AggregateSpec spec(BaseAggregateExec exec, boolean ansi) throws UnsupportedException {
    List<NamedExpression> grouping = list(exec.groupingExpressions());
    List<AggregateExpression> aggregates = list(exec.aggregateExpressions());
    requireSupported(exec, grouping, aggregates);
    // Without functions the keys are all there is, before and after a merge.
    boolean results = aggregates.isEmpty() || putsOutResults(aggregates.get(0).mode());
    Function[] functions = new Function[aggregates.size()];
    boolean allMerge = !aggregates.isEmpty();
    for (int i = 0; i < functions.length; i++) {
      AggregateExpression aggregate = aggregates.get(i);
      if (putsOutResults(aggregate.mode()) != results) {
        throw new UnsupportedException("aggregate functions of different modes");
      }
      boolean merge = isMerge(aggregate.mode());
      allMerge &= merge;
      AggregateFunction function = aggregate.aggregateFunction();
      if (!merge && aggregate.filter().isDefined()) {
        function = filtered(function, aggregate.filter().get());
      }
      functions[i] = AggregateFunctions.compile(function, merge, results, this);
    }
    // Where distinct functions begin and others merge, raw values come first, then buffers.
    for (int i = 0; i < functions.length; i++) {
      functions[i] = functions[i].merge() ? functions[i].behind(raw.size()) : functions[i];
    }

    List<Attribute> child = list(exec.child().output());
    List<Expression> inputs = new ArrayList<>();
    grouping.forEach(key -> inputs.add((Expression) key));
    inputs.addAll(raw);
    inputs.addAll(bufferColumns(child, functions));
    Program program = ExpressionCompiler.compile(inputs, child, ansi);
    int[] keyTypes = new int[grouping.size()];
    System.arraycopy(program.outputTypes(), 0, keyTypes, 0, keyTypes.length);

    List<Attribute> output = new ArrayList<>();
    if (results) {
      grouping.forEach(key -> output.add(key.toAttribute()));
      output.addAll(list(exec.aggregateAttributes()));
    } else {
      output.addAll(list(exec.output()));
    }
    requireOutput(output, keyTypes, functions);
    return new AggregateSpec(
        keyTypes,
        program,
        functions,
        allMerge,
        results,
        JavaConverters.asScalaBuffer(output).toList(),
        exec.requiredChildDistributionExpressions(),
        describe(grouping, aggregates));
  }

  private static void requireSupported(
      BaseAggregateExec exec, List<NamedExpression> grouping, List<AggregateExpression> aggregates)
      throws UnsupportedException {
    if (exec.isStreaming()) {
      throw new UnsupportedException("streaming aggregate");
    }
    if (grouping.isEmpty() && aggregates.isEmpty()) {
      throw new UnsupportedException("aggregate without keys and functions");
    }
    if (grouping.size() > Abi.AGG_MAX_KEYS) {
      throw new UnsupportedException(
          grouping.size() + " grouping keys (at most " + Abi.AGG_MAX_KEYS + " are supported)");
    }
    if (aggregates.size() > Abi.AGG_MAX_FUNCTIONS) {
      throw new UnsupportedException(
          aggregates.size()
              + " aggregate functions (at most "
              + Abi.AGG_MAX_FUNCTIONS
              + " are supported)");
    }
  }

  /** A merging operator finds its buffers by position: they are its child's last columns. */
  private List<Attribute> bufferColumns(List<Attribute> child, Function[] functions)
      throws UnsupportedException {
    if (child.size() < buffers) {
      throw new UnsupportedException("fewer columns than the functions have buffers");
    }
    List<Attribute> columns = child.subList(child.size() - buffers, child.size());
    for (Function function : functions) {
      if (function.merge()) {
        requireType(columns.get(function.input() - raw.size()), function.type());
        if (function.input2() >= 0) {
          requireType(columns.get(function.input2() - raw.size()), secondType(function.op()));
        }
        if (function.input3() >= 0) {
          requireType(columns.get(function.input3() - raw.size()), Abi.T_F64);
        }
      }
    }
    return columns;
  }

  private static int secondType(int op) {
    return switch (op) {
      case Abi.AGG_SUM_DEC, Abi.AGG_FIRST, Abi.AGG_LAST -> Abi.T_BOOL;
      case Abi.AGG_MOMENTS -> Abi.T_F64;
      default -> Abi.T_I64;
    };
  }

  private static boolean isMerge(AggregateMode mode) {
    return mode == Final$.MODULE$ || mode == PartialMerge$.MODULE$;
  }

  private static boolean putsOutResults(AggregateMode mode) {
    return mode == Final$.MODULE$ || mode == Complete$.MODULE$;
  }

  /** A function over nulls where the condition does not hold, as nulls do not count. */
  private static AggregateFunction filtered(AggregateFunction function, Expression condition)
      throws UnsupportedException {
    boolean countsNulls =
        (function instanceof First first && !first.ignoreNulls())
            || (function instanceof Last last && !last.ignoreNulls());
    if (countsNulls || function.children().size() != 1) {
      throw new UnsupportedException("FILTER clause of " + function.prettyName());
    }
    Expression child = function.children().head();
    Expression nothing = new Literal(null, child.dataType());
    List<Expression> children = List.of(new If(condition, child, nothing));
    return (AggregateFunction)
        function.withNewChildren(JavaConverters.asScalaBuffer(children).toList());
  }

  private static void requireOutput(List<Attribute> output, int[] keyTypes, Function[] functions)
      throws UnsupportedException {
    List<Integer> types = new ArrayList<>();
    for (int type : keyTypes) {
      types.add(type);
    }
    for (Function function : functions) {
      types.addAll(function.outTypes());
    }
    if (output.size() != types.size()) {
      throw new UnsupportedException(
          "an output of " + output.size() + " columns instead of " + types.size());
    }
    for (int i = 0; i < output.size(); i++) {
      requireType(output.get(i), types.get(i));
    }
  }

  private static void requireType(Attribute attribute, int type) throws UnsupportedException {
    OptionalInt actual = NativeTypes.of(attribute.dataType());
    if (actual.isEmpty() || actual.getAsInt() != type) {
      throw new UnsupportedException(
          "column " + attribute.name() + " has type " + attribute.dataType().simpleString());
    }
  }

  private static String describe(
      List<NamedExpression> grouping, List<AggregateExpression> aggregates) {
    return "keys=" + grouping + ", functions=" + aggregates;
  }

  private static <T> List<T> list(scala.collection.Seq<T> values) {
    return JavaConverters.seqAsJavaList(values);
  }
}
