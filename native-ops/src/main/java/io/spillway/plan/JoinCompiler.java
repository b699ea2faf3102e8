package io.spillway.plan;

import io.spillway.expression.ExpressionCompiler;
import io.spillway.expression.NativeTypes;
import io.spillway.expression.Program;
import io.spillway.expression.UnsupportedException;
import io.spillway.kernel.JoinAbi;
import io.spillway.operator.JoinSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.KnownFloatingPointNormalized;
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero;
import org.apache.spark.sql.catalyst.plans.ExistenceJoin;
import org.apache.spark.sql.catalyst.plans.FullOuter$;
import org.apache.spark.sql.catalyst.plans.InnerLike;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftAnti$;
import org.apache.spark.sql.catalyst.plans.LeftOuter$;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;

/** Turns a join of Spark's into a {@link JoinSpec}. Stateless. */
final class JoinCompiler {
  private JoinCompiler() {}

  /**
   * Compiles a join.
   *
   * @param left the left child's output
   * @param right the right child's output
   * @param condition beside the equality of the keys; null if there is none
   * @throws UnsupportedException if anything in the join has to stay on the JVM
   */
  static JoinSpec compile(
      JoinType joinType,
      boolean buildLeft,
      List<Expression> leftKeys,
      List<Expression> rightKeys,
      Expression condition,
      List<Attribute> left,
      List<Attribute> right,
      boolean ansi)
      throws UnsupportedException {
    if (leftKeys.size() > JoinAbi.MAX_KEYS) {
      throw new UnsupportedException(
          leftKeys.size() + " join keys (at most " + JoinAbi.MAX_KEYS + " are supported)");
    }
    JoinSpec.Kind kind = kind(joinType, buildLeft);
    List<Attribute> build = buildLeft ? left : right;
    List<Attribute> probe = buildLeft ? right : left;
    Program buildKeys = keys(buildLeft ? leftKeys : rightKeys, build, ansi);
    Program probeKeys = keys(buildLeft ? rightKeys : leftKeys, probe, ansi);
    if (!Arrays.equals(buildKeys.outputTypes(), probeKeys.outputTypes())) {
      throw new UnsupportedException("join keys of different types");
    }
    Program residual = null;
    if (condition != null) {
      List<Attribute> both = new ArrayList<>(probe);
      both.addAll(build);
      residual = ExpressionCompiler.compile(List.of(condition), both, ansi);
    }
    return new JoinSpec(
        kind,
        buildLeft,
        buildKeys,
        probeKeys,
        types(build),
        types(probe),
        payload(kind, buildKeys, residual, build.size(), probe.size()),
        residual);
  }

  private static JoinSpec.Kind kind(JoinType joinType, boolean buildLeft)
      throws UnsupportedException {
    if (joinType instanceof InnerLike) {
      return JoinSpec.Kind.INNER;
    }
    if (joinType == FullOuter$.MODULE$) {
      return JoinSpec.Kind.FULL_OUTER;
    }
    if (joinType == LeftOuter$.MODULE$) {
      return buildLeft ? JoinSpec.Kind.BUILD_OUTER : JoinSpec.Kind.PROBE_OUTER;
    }
    if (joinType == RightOuter$.MODULE$) {
      return buildLeft ? JoinSpec.Kind.PROBE_OUTER : JoinSpec.Kind.BUILD_OUTER;
    }
    if (!buildLeft && joinType == LeftSemi$.MODULE$) {
      return JoinSpec.Kind.SEMI;
    }
    if (!buildLeft && joinType == LeftAnti$.MODULE$) {
      return JoinSpec.Kind.ANTI;
    }
    if (!buildLeft && joinType instanceof ExistenceJoin) {
      return JoinSpec.Kind.EXISTENCE;
    }
    throw new UnsupportedException(
        "join type " + joinType.sql() + " that builds its " + (buildLeft ? "left" : "right"));
  }

  /** Spark's optimiser normalises floating-point keys; done twice it changes nothing. */
  private static Program keys(List<Expression> keys, List<Attribute> input, boolean ansi)
      throws UnsupportedException {
    List<Expression> normalised = new ArrayList<>();
    for (Expression key : keys) {
      boolean floating =
          key.dataType() instanceof FloatType || key.dataType() instanceof DoubleType;
      normalised.add(
          floating && !(key instanceof KnownFloatingPointNormalized)
              ? new NormalizeNaNAndZero(key)
              : key);
    }
    return ExpressionCompiler.compile(normalised, input, ansi);
  }

  /** Every build column that comes out, or that the condition reads, and that is not a key. */
  private static int[] payload(
      JoinSpec.Kind kind, Program keys, Program condition, int buildColumns, int probeColumns) {
    return IntStream.range(0, buildColumns)
        .filter(i -> kind.emitsPairs() || reads(condition, probeColumns + i))
        .filter(i -> Arrays.stream(keys.passThrough()).noneMatch(key -> key == i))
        .toArray();
  }

  private static boolean reads(Program program, int column) {
    return program != null
        && (Arrays.stream(program.inputs()).anyMatch(i -> i == column)
            || Arrays.stream(program.passThrough()).anyMatch(i -> i == column));
  }

  private static int[] types(List<Attribute> columns) throws UnsupportedException {
    int[] types = new int[columns.size()];
    for (int i = 0; i < types.length; i++) {
      Attribute column = columns.get(i);
      types[i] =
          NativeTypes.of(column.dataType())
              .orElseThrow(() -> new UnsupportedException(Replacement.describe(column)));
    }
    return types;
  }
}
