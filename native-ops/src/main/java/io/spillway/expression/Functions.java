package io.spillway.expression;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;

/** Which class of expression is compiled by what. */
public final class Functions {
  /** Remark of what depends on the session's time zone. */
  static final String FIXED_ZONE = "in a time zone of fixed offset, such as UTC";

  /** Remark of what the kernels leave to Spark's own expressions. */
  static final String BY_SPARK = "by Spark's code";

  /** Compiles one class of expression, its children first. */
  @FunctionalInterface
  interface Handler {
    int compile(ExpressionCompiler compiler, Expression expression) throws UnsupportedException;
  }

  /**
   * A line of the documentation.
   *
   * @param group what it stands under
   * @param sql how the user writes it
   * @param remark where it runs natively; empty: everywhere
   */
  public record Entry(String group, String sql, String remark) {}

  /** What is compiled, collected in the order of the documentation. */
  static final class Catalogue {
    private final Map<Class<?>, Handler> handlers = new HashMap<>();
    private final List<Entry> entries = new ArrayList<>();

    void add(
        String group,
        String sql,
        String remark,
        Class<? extends Expression> type,
        Handler handler) {
      entries.add(new Entry(group, sql, remark));
      hidden(type, handler);
    }

    /** A line for what has no class of its own. */
    void line(String group, String sql, String remark) {
      entries.add(new Entry(group, sql, remark));
    }

    /** For what users do not write, but Spark's analysis and optimiser do. */
    void hidden(Class<? extends Expression> type, Handler handler) {
      if (handlers.put(type, handler) != null) {
        throw new IllegalStateException(type + " twice");
      }
    }
  }

  private static final Catalogue CATALOGUE = new Catalogue();

  static {
    ArithmeticCompiler.addTo(CATALOGUE);
    MathCompiler.addTo(CATALOGUE);
    PredicateCompiler.addTo(CATALOGUE);
    ConditionalCompiler.addTo(CATALOGUE);
    TextCompiler.addTo(CATALOGUE);
    DateCompiler.addTo(CATALOGUE);
    CastCompiler.addTo(CATALOGUE);
  }

  private Functions() {}

  /** What runs natively, for the documentation. */
  public static List<Entry> entries() {
    return List.copyOf(CATALOGUE.entries);
  }

  /** The classes of expressions that are compiled, beside columns, literals and casts. */
  static Set<Class<?>> types() {
    return Set.copyOf(CATALOGUE.handlers.keySet());
  }

  /** Null if expressions of this class stay on the JVM. */
  static Handler handler(Expression expression) {
    return CATALOGUE.handlers.get(expression.getClass());
  }

  /** The kernels compare values of one type; decimals need one scale, too. */
  static void requireSameType(DataType left, DataType right) throws UnsupportedException {
    if (!left.equals(right)) {
      throw new UnsupportedException(
          "operands of different types, " + left.simpleString() + " and " + right.simpleString());
    }
  }

  static int onlyChild(ExpressionCompiler c, Expression e) throws UnsupportedException {
    return c.compile(e.children().head());
  }

  static DecimalType decimal(Expression e) {
    return (DecimalType) e.dataType();
  }
}
