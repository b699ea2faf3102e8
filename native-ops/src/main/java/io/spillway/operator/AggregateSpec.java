package io.spillway.operator;

import io.spillway.expression.Program;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.physical.AllTuples$;
import org.apache.spark.sql.catalyst.plans.physical.ClusteredDistribution;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.catalyst.plans.physical.UnspecifiedDistribution$;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import scala.Option;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/**
 * What a native hash aggregate does: which keys, which functions over which inputs, what comes out.
 * Immutable; made on the driver by {@code AggregateCompiler}, serialised to executors. Callers must
 * not change the arrays that they get.
 */
public final class AggregateSpec implements Serializable {
  private static final long serialVersionUID = 1L;

  /**
   * One aggregate function.
   *
   * @param op {@code Abi.AGG_*}
   * @param type kernel type of the first input, and of a minimum's or maximum's value
   * @param input index of the (first) input among the columns behind the keys; -1: none (count of
   *     all rows)
   * @param input2 index of the second buffer column when merging (isEmpty, count, set, mean); else
   *     -1
   * @param input3 index of the third one (squared distances); else -1
   * @param merge whether the inputs are the buffers of partial aggregates
   * @param precision digits of a decimal sum; for a first or last value 1 if nulls do not count;
   *     for moments 0 to 3 (see {@code SPW_MOMENTS}); else 0
   * @param outPrecision digits of a decimal average; 0 if it is none
   * @param scaleUp scale of a decimal average minus scale of its sum; 0 if it is none
   * @param outScale for a decimal sum 1 if it may overflow on the way; for moments 1 if a sample of
   *     one gives null; else 0
   * @param outType kernel type of the (first) output column
   * @param outType2 kernel type of the second output column; 0 if there is one column only
   * @param outType3 kernel type of the third output column; 0 if there is none
   */
  public record Function(
      int op,
      int type,
      int input,
      int input2,
      int input3,
      boolean merge,
      int precision,
      int outPrecision,
      int scaleUp,
      int outScale,
      int outType,
      int outType2,
      int outType3)
      implements Serializable {

    /** Kernel types of the output columns: one to three. */
    public List<Integer> outTypes() {
      List<Integer> types = new ArrayList<>(List.of(outType));
      if (outType2 != 0) {
        types.add(outType2);
      }
      if (outType3 != 0) {
        types.add(outType3);
      }
      return types;
    }

    /** The same, its buffer columns further behind. */
    public Function behind(int columns) {
      return new Function(
          op,
          type,
          input + columns,
          input2 < 0 ? input2 : input2 + columns,
          input3 < 0 ? input3 : input3 + columns,
          merge,
          precision,
          outPrecision,
          scaleUp,
          outScale,
          outType,
          outType2,
          outType3);
    }
  }

  private final int[] keyTypes;
  private final Program input;
  private final Function[] functions;
  private final boolean merge;
  private final boolean finalResult;
  private final Seq<Attribute> output;
  private final Option<Seq<Expression>> clustering;
  private final String description;

  /** Made by {@code AggregateCompiler}, which keeps the parts consistent. */
  public AggregateSpec(
      int[] keyTypes,
      Program input,
      Function[] functions,
      boolean merge,
      boolean finalResult,
      Seq<Attribute> output,
      Option<Seq<Expression>> clustering,
      String description) {
    this.keyTypes = keyTypes;
    this.input = input;
    this.functions = functions;
    this.merge = merge;
    this.finalResult = finalResult;
    this.output = output;
    this.clustering = clustering;
    this.description = description;
  }

  /** Kernel types of the grouping keys. */
  public int[] keyTypes() {
    return keyTypes;
  }

  /**
   * Compiled over the child's output. The first {@code keyTypes().length} outputs are the keys, the
   * others the inputs of the functions: raw values, or buffer columns if {@link #merge()}.
   */
  public Program input() {
    return input;
  }

  /** The functions, in the order of their output columns. */
  public Function[] functions() {
    return functions;
  }

  /** Whether the inputs of all functions are the buffers of partial aggregates. */
  public boolean merge() {
    return merge;
  }

  /** Whether results come out, else buffers. */
  public boolean finalResult() {
    return finalResult;
  }

  /**
   * Whether no group may come out twice: results may not, nor may buffers where Spark demanded all
   * rows of a key in one partition, as it does beneath a distinct function, which counts groups.
   */
  public boolean mergesGroups() {
    return finalResult || clustering.isDefined();
  }

  /** The output columns: the keys, then the results or buffers; types as Spark's. */
  public Seq<Attribute> output() {
    return output;
  }

  /**
   * What the operator must demand of its child's partitioning: all rows of a key in one partition
   * where Spark's operator demanded it. Adaptive execution checks it before it lets tasks read
   * shuffled data in another way, so without it results would be wrong.
   */
  public Distribution requiredChildDistribution() {
    if (clustering.isEmpty()) {
      return UnspecifiedDistribution$.MODULE$;
    }
    if (clustering.get().isEmpty()) {
      return AllTuples$.MODULE$;
    }
    return new ClusteredDistribution(
        clustering.get(),
        (boolean) SQLConf.get().getConf(SQLConf.REQUIRE_ALL_CLUSTER_KEYS_FOR_DISTRIBUTION()),
        Option.empty());
  }

  /** Whether there is a grouping key; without one there is exactly one group, even for no rows. */
  public boolean hasKeys() {
    return keyTypes.length > 0;
  }

  /** Keys and functions in words, for explain. */
  public String describe() {
    return description;
  }

  /**
   * Two specifications are equal if they compute the same from equal children; expression ids and
   * names, which differ between plans of one query, do not count.
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof AggregateSpec that
        && merge == that.merge
        && finalResult == that.finalResult
        && input.equals(that.input)
        && Arrays.equals(keyTypes, that.keyTypes)
        && Arrays.equals(functions, that.functions)
        && types().equals(that.types())
        && clustering.isEmpty() == that.clustering.isEmpty();
  }

  @Override
  public int hashCode() {
    return input.hashCode() * 31 + Arrays.hashCode(functions);
  }

  private List<DataType> types() {
    List<DataType> types = new ArrayList<>();
    for (Attribute attribute : JavaConverters.seqAsJavaList(output)) {
      types.add(attribute.dataType());
    }
    return types;
  }

  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(", ", "AggregateSpec[", "]");
    text.add(merge ? "merging" : "raw").add(finalResult ? "results" : "buffers").add(description);
    return text.toString();
  }

  /** How many columns a function puts out. */
  public static int columns(Function function) {
    return function.outTypes().size();
  }
}
