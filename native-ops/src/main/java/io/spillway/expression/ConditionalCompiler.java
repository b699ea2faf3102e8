package io.spillway.expression;

import io.spillway.kernel.Abi;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.CaseWhen;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.InSet;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import scala.Tuple2;
import scala.collection.JavaConverters;

/** Choices between values, and membership in a list. */
final class ConditionalCompiler {
  /** A longer list is better off in Spark's hash set. */
  private static final int MAX_LIST = 64;

  private ConditionalCompiler() {}

  static void addTo(Map<Class<?>, Functions.Handler> handlers) {
    handlers.put(If.class, (c, e) -> compileIf(c, (If) e));
    handlers.put(CaseWhen.class, (c, e) -> caseWhen(c, (CaseWhen) e));
    handlers.put(Coalesce.class, ConditionalCompiler::coalesce);
    handlers.put(In.class, (c, e) -> in(c, (In) e));
    handlers.put(InSet.class, (c, e) -> inSet(c, (InSet) e));
  }

  private static int compileIf(ExpressionCompiler c, If e) throws UnsupportedException {
    Functions.requireSameType(e.trueValue().dataType(), e.falseValue().dataType());
    int condition = c.compile(e.predicate());
    int then = c.compile(e.trueValue());
    return c.program().select(condition, then, c.compile(e.falseValue()));
  }

  private static int caseWhen(ExpressionCompiler c, CaseWhen e) throws UnsupportedException {
    DataType type = e.dataType();
    List<Tuple2<Expression, Expression>> branches = JavaConverters.seqAsJavaList(e.branches());
    int result;
    if (e.elseValue().isDefined()) {
      Functions.requireSameType(type, e.elseValue().get().dataType());
      result = c.compile(e.elseValue().get());
    } else {
      result = LiteralCompiler.compile(c.program(), null, type);
    }
    for (int i = branches.size() - 1; i >= 0; i--) {
      Functions.requireSameType(type, branches.get(i)._2().dataType());
      int condition = c.compile(branches.get(i)._1());
      result = c.program().select(condition, c.compile(branches.get(i)._2()), result);
    }
    return result;
  }

  private static int coalesce(ExpressionCompiler c, Expression e) throws UnsupportedException {
    List<Expression> choices = ExpressionCompiler.list(e.children());
    int last = choices.size() - 1;
    Functions.requireSameType(e.dataType(), choices.get(last).dataType());
    int result = c.compile(choices.get(last));
    for (int i = last - 1; i >= 0; i--) {
      Functions.requireSameType(e.dataType(), choices.get(i).dataType());
      int choice = c.compile(choices.get(i));
      result = c.program().binary(Abi.OP_COALESCE, c.program().typeOf(choice), choice, result, 0);
    }
    return result;
  }

  private static int in(ExpressionCompiler c, In e) throws UnsupportedException {
    List<Object> literals = new ArrayList<>();
    for (Expression element : ExpressionCompiler.list(e.list())) {
      if (!(element instanceof Literal literal)) {
        throw new UnsupportedException("a list of IN that is not constant");
      }
      Functions.requireSameType(e.value().dataType(), element.dataType());
      literals.add(literal.value());
    }
    return membership(c, e.value(), literals);
  }

  private static int inSet(ExpressionCompiler c, InSet e) throws UnsupportedException {
    DataType type = e.child().dataType();
    if (type instanceof FloatType || type instanceof DoubleType) {
      // The set looks numbers up by their boxed form, which is not how the kernels compare them.
      throw new UnsupportedException("a long IN list of " + type.simpleString());
    }
    return membership(c, e.child(), new ArrayList<>(JavaConverters.setAsJavaSet(e.hset())));
  }

  /** Equality with each element, joined by a three-valued OR: that is SQL's IN. */
  private static int membership(ExpressionCompiler c, Expression value, List<Object> elements)
      throws UnsupportedException {
    if (elements.isEmpty() || elements.size() > MAX_LIST) {
      throw new UnsupportedException(
          "an IN list of " + elements.size() + " values (1 to " + MAX_LIST + " are supported)");
    }
    int tested = c.compile(value);
    int result = -1;
    for (Object element : elements) {
      int constant = LiteralCompiler.compile(c.program(), element, value.dataType());
      int equal = c.program().binary(Abi.OP_EQ, Abi.T_BOOL, tested, constant, 0);
      result = result < 0 ? equal : c.program().binary(Abi.OP_OR, Abi.T_BOOL, result, equal, 0);
    }
    return result;
  }
}
