package io.spillway.expression;

import io.spillway.kernel.Abi;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.CaseWhen;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Greatest;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.InSet;
import org.apache.spark.sql.catalyst.expressions.Least;
import org.apache.spark.sql.catalyst.expressions.NaNvl;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import scala.Tuple2;
import scala.collection.JavaConverters;

/** Choices between values, and membership in a list. */
final class ConditionalCompiler {
  /** A longer list is better off in Spark's hash set. */
  private static final int MAX_LIST = 64;

  private static final String GROUP = "Choices";

  private ConditionalCompiler() {}

  static void addTo(Functions.Catalogue catalogue) {
    catalogue.add(GROUP, "if, nvl2", "", If.class, (c, e) -> compileIf(c, (If) e));
    catalogue.add(GROUP, "case", "", CaseWhen.class, (c, e) -> caseWhen(c, (CaseWhen) e));
    catalogue.add(
        GROUP, "coalesce, nvl, ifnull", "", Coalesce.class, ConditionalCompiler::coalesce);
    catalogue.add(GROUP, "nanvl", "", NaNvl.class, (c, e) -> nanvl(c, (NaNvl) e));
    catalogue.add(GROUP, "greatest", "", Greatest.class, (c, e) -> extreme(c, e, true));
    catalogue.add(GROUP, "least", "", Least.class, (c, e) -> extreme(c, e, false));
    catalogue.add(GROUP, "in", "up to " + MAX_LIST + " values", In.class, (c, e) -> in(c, (In) e));
    catalogue.hidden(InSet.class, (c, e) -> inSet(c, (InSet) e));
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

  private static int nanvl(ExpressionCompiler c, NaNvl e) throws UnsupportedException {
    int value = c.compile(e.left());
    return c.program().select(PredicateCompiler.isNaN(c, value), c.compile(e.right()), value);
  }

  /** Nulls do not count; of equal values the first stays. */
  private static int extreme(ExpressionCompiler c, Expression e, boolean greatest)
      throws UnsupportedException {
    int result = -1;
    for (Expression child : ExpressionCompiler.list(e.children())) {
      Functions.requireSameType(e.dataType(), child.dataType());
      int value = c.compile(child);
      if (result < 0) {
        result = value;
        continue;
      }
      int type = c.program().typeOf(value);
      int low = greatest ? result : value;
      int high = greatest ? value : result;
      int replaces = c.program().binary(Abi.OP_LT, Abi.T_BOOL, low, high, 0);
      int present = c.program().binary(Abi.OP_COALESCE, type, result, value, 0);
      result = c.program().select(replaces, value, present);
    }
    return result;
  }

  private static int in(ExpressionCompiler c, In e) throws UnsupportedException {
    List<Expression> list = ExpressionCompiler.list(e.list());
    requireSize(list.size());
    List<Integer> elements = new ArrayList<>();
    for (Expression element : list) {
      Functions.requireSameType(e.value().dataType(), element.dataType());
      elements.add(c.compile(element));
    }
    return membership(c, c.compile(e.value()), elements);
  }

  private static int inSet(ExpressionCompiler c, InSet e) throws UnsupportedException {
    DataType type = e.child().dataType();
    if (type instanceof FloatType || type instanceof DoubleType) {
      // The set looks numbers up by their boxed form, which is not how the kernels compare them.
      throw new UnsupportedException("a long IN list of " + type.simpleString());
    }
    requireSize(e.hset().size());
    List<Integer> elements = new ArrayList<>();
    for (Object element : JavaConverters.setAsJavaSet(e.hset())) {
      elements.add(LiteralCompiler.compile(c.program(), element, type));
    }
    return membership(c, c.compile(e.child()), elements);
  }

  private static void requireSize(int elements) throws UnsupportedException {
    if (elements < 1 || elements > MAX_LIST) {
      throw new UnsupportedException(
          "an IN list of " + elements + " values (1 to " + MAX_LIST + " are supported)");
    }
  }

  /** Equality with each element, joined by a three-valued OR: that is SQL's IN. */
  private static int membership(ExpressionCompiler c, int tested, List<Integer> elements) {
    int result = -1;
    for (int element : elements) {
      int equal = c.program().binary(Abi.OP_EQ, Abi.T_BOOL, tested, element, 0);
      result = result < 0 ? equal : c.program().binary(Abi.OP_OR, Abi.T_BOOL, result, equal, 0);
    }
    return result;
  }
}
