package io.spillway.expression;

import io.spillway.kernel.ExprAbi;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NonSQLExpression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.expressions.UserDefinedExpression;
import org.apache.spark.sql.execution.ExecSubqueryExpression;
import org.apache.spark.sql.execution.ScalarSubquery;
import org.apache.spark.sql.types.DataType;
import scala.collection.JavaConverters;

/**
 * Turns Catalyst expressions into a kernel program, exactly or not at all: what is compiled gives
 * Spark's value for every input, nulls, NaN and overflow included.
 *
 * <p>Spark evaluates the branches of a conditional lazily. A program evaluates all of them, which
 * is the same because nothing that may throw is ever compiled (but dates that leave the calendar:
 * decision 0011).
 */
public final class ExpressionCompiler {
  private final ProgramBuilder program = new ProgramBuilder();
  private final DecimalCompiler decimals = new DecimalCompiler(program);
  private final CastCompiler casts;
  private final boolean ansi;
  private final boolean subqueries;
  private final Map<Object, Integer> ordinals = new HashMap<>();
  private final List<Attribute> input;

  private ExpressionCompiler(List<Attribute> input, boolean ansi, boolean subqueries) {
    this.input = input;
    this.ansi = ansi;
    this.subqueries = subqueries;
    this.casts = new CastCompiler(program, decimals, ansi);
    for (int i = 0; i < input.size(); i++) {
      ordinals.putIfAbsent(input.get(i).exprId(), i);
    }
  }

  /**
   * Compiles expressions over the columns of one child.
   *
   * @param expressions bound by expression id to {@code input}; one output each, in this order
   * @param input the child's output
   * @param ansi whether the session is in ANSI mode; expressions that carry a mode of their own are
   *     held to the stricter of the two
   * @return the program; an empty list gives a program without outputs
   * @throws UnsupportedException if any expression, or any type in it, has to stay on the JVM
   */
  public static Program compile(
      List<? extends Expression> expressions, List<Attribute> input, boolean ansi)
      throws UnsupportedException {
    return compile(expressions, new ExpressionCompiler(input, ansi, false));
  }

  /**
   * As {@link #compile(List, List, boolean)}, scalar subqueries too: {@link SubqueryValues} must
   * put their values in before the program runs.
   */
  public static Program compileWithSubqueries(
      List<? extends Expression> expressions, List<Attribute> input, boolean ansi)
      throws UnsupportedException {
    return compile(expressions, new ExpressionCompiler(input, ansi, true));
  }

  private static Program compile(
      List<? extends Expression> expressions, ExpressionCompiler compiler)
      throws UnsupportedException {
    int[] outputs = new int[expressions.size()];
    for (int i = 0; i < outputs.length; i++) {
      outputs[i] = compiler.compile(expressions.get(i));
    }
    return compiler.program.build(outputs);
  }

  ProgramBuilder program() {
    return program;
  }

  DecimalCompiler decimals() {
    return decimals;
  }

  CastCompiler casts() {
    return casts;
  }

  boolean ansi() {
    return ansi;
  }

  /** The number of the value of an expression. */
  int compile(Expression expression) throws UnsupportedException {
    int type = nativeType(expression);
    int value = dispatch(expression);
    if (program.typeOf(value) != type) {
      // A fault of ours, which must not fail the query.
      throw new UnsupportedException(
          "expression "
              + name(expression)
              + " compiled to kernel type "
              + program.typeOf(value)
              + " instead of "
              + type);
    }
    return value;
  }

  /**
   * The number of the host function for an operation that may leave rows to its caller: the
   * expression over its children, which are the operation's operands in their order. Literals stay
   * what they are.
   */
  int host(Expression expression) throws UnsupportedException {
    List<Expression> children = list(expression.children());
    List<Expression> bound = new ArrayList<>();
    List<DataType> arguments = new ArrayList<>();
    for (int i = 0; i < children.size(); i++) {
      Expression child = children.get(i);
      bound.add(child instanceof Literal ? child : new BoundReference(i, child.dataType(), true));
      if (!(child instanceof Literal)) {
        while (arguments.size() <= i) {
          Expression argument = children.get(arguments.size());
          nativeType(argument);
          arguments.add(argument.dataType());
        }
      }
    }
    return program.host(withChildren(expression, bound), arguments);
  }

  /** An expression of one child that is not constant, computed by Spark's own code row by row. */
  int hosted(Expression expression) throws UnsupportedException {
    Expression argument = null;
    List<Expression> bound = new ArrayList<>();
    for (Expression child : list(expression.children())) {
      if (child instanceof Literal) {
        bound.add(child);
      } else if (argument == null) {
        argument = child;
        bound.add(new BoundReference(0, child.dataType(), true));
      } else {
        throw new UnsupportedException("expression " + name(expression) + " of several columns");
      }
    }
    if (argument == null) {
      throw new UnsupportedException("expression " + name(expression) + " of constants");
    }
    int value = compile(argument);
    int host = program.host(withChildren(expression, bound), List.of(argument.dataType()));
    return program.unary(ExprAbi.OP_HOST, nativeType(expression), value, host);
  }

  private static Expression withChildren(Expression expression, List<Expression> children) {
    return expression.withNewChildren(JavaConverters.asScalaBuffer(children).toList());
  }

  private int dispatch(Expression expression) throws UnsupportedException {
    if (expression instanceof AttributeReference attribute) {
      return column(attribute);
    }
    if (expression instanceof Alias alias) {
      return compile(alias.child());
    }
    if (expression instanceof Literal literal) {

      return LiteralCompiler.compile(program, literal.value(), literal.dataType());
    }
    if (subqueries && expression instanceof ScalarSubquery subquery) {
      return late(subquery, LateValue.WHOLE, subquery);
    }
    if (subqueries
        && expression instanceof GetStructField field
        && field.child() instanceof ScalarSubquery subquery) {
      return late(subquery, field.ordinal(), field);
    }
    if (expression instanceof Cast cast) {

      return casts.compile(this, cast, compile(cast.child()));
    }
    Functions.Handler handler = Functions.handler(expression);
    if (handler == null) {
      throw new UnsupportedException(why(expression));
    }
    return handler.compile(this, expression);
  }

  private int late(ScalarSubquery subquery, int field, Expression value)
      throws UnsupportedException {
    LateValue late = new LateValue(subquery.exprId(), field, value.dataType());
    return program.constant(nativeType(value), late);
  }

  private int column(AttributeReference attribute) throws UnsupportedException {
    Integer ordinal = ordinals.get(attribute.exprId());
    if (ordinal == null) {
      throw new UnsupportedException("column " + attribute + " is not in the child's output");
    }
    // The child's own type counts, as its vectors have it.
    int type = nativeType(input.get(ordinal));
    return program.column(ordinal, type);
  }

  private static int nativeType(Expression expression) throws UnsupportedException {
    OptionalInt type = NativeTypes.of(expression.dataType());
    if (type.isEmpty()) {
      throw new UnsupportedException("type " + expression.dataType().simpleString());
    }
    return type.getAsInt();
  }

  private static String why(Expression expression) {
    if (expression instanceof ScalaUDF || expression instanceof UserDefinedExpression) {
      return "user-defined function " + name(expression);
    }
    if (expression instanceof ExecSubqueryExpression) {
      return "subquery";
    }
    if (!expression.deterministic()) {
      return "non-deterministic expression " + name(expression);
    }
    return "expression " + name(expression);
  }

  private static String name(Expression expression) {
    return expression instanceof NonSQLExpression
        ? expression.getClass().getSimpleName()
        : expression.prettyName();
  }

  /** The children as a Java list. */
  static List<Expression> list(scala.collection.Seq<Expression> expressions) {
    return JavaConverters.seqAsJavaList(expressions);
  }
}
