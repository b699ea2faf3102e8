package io.spillway.expression;

import io.spillway.kernel.Abi;
import io.spillway.kernel.ExprAbi;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.BitLength;
import org.apache.spark.sql.catalyst.expressions.Concat;
import org.apache.spark.sql.catalyst.expressions.ConcatWs;
import org.apache.spark.sql.catalyst.expressions.Contains;
import org.apache.spark.sql.catalyst.expressions.EndsWith;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.InitCap;
import org.apache.spark.sql.catalyst.expressions.Length;
import org.apache.spark.sql.catalyst.expressions.Like;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Lower;
import org.apache.spark.sql.catalyst.expressions.OctetLength;
import org.apache.spark.sql.catalyst.expressions.Reverse;
import org.apache.spark.sql.catalyst.expressions.StartsWith;
import org.apache.spark.sql.catalyst.expressions.StringInstr;
import org.apache.spark.sql.catalyst.expressions.StringLPad;
import org.apache.spark.sql.catalyst.expressions.StringLocate;
import org.apache.spark.sql.catalyst.expressions.StringRPad;
import org.apache.spark.sql.catalyst.expressions.StringRepeat;
import org.apache.spark.sql.catalyst.expressions.StringReplace;
import org.apache.spark.sql.catalyst.expressions.StringTrim;
import org.apache.spark.sql.catalyst.expressions.StringTrimLeft;
import org.apache.spark.sql.catalyst.expressions.StringTrimRight;
import org.apache.spark.sql.catalyst.expressions.Substring;
import org.apache.spark.sql.catalyst.expressions.SubstringIndex;
import org.apache.spark.sql.catalyst.expressions.Upper;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.unsafe.types.UTF8String;

/** Functions of strings. Characters are counted as Spark's strings count them. */
final class TextCompiler {
  private static final String GROUP = "Strings";

  /** A string that is made of more is not worth the memory that every row might need. */
  private static final int MOST_REPEATS = 1 << 16;

  private static final String BEYOND_ASCII = "text beyond ASCII " + Functions.BY_SPARK;

  private TextCompiler() {}

  static void addTo(Functions.Catalogue catalogue) {
    catalogue.add(
        GROUP, "startswith", "", StartsWith.class, (c, e) -> test(c, e, Abi.OP_STARTS_WITH));
    catalogue.add(GROUP, "endswith", "", EndsWith.class, (c, e) -> test(c, e, Abi.OP_ENDS_WITH));
    catalogue.add(GROUP, "contains", "", Contains.class, (c, e) -> test(c, e, Abi.OP_CONTAINS));
    catalogue.add(GROUP, "like", "a constant pattern", Like.class, (c, e) -> like(c, (Like) e));
    catalogue.add(GROUP, "length", "", Length.class, TextCompiler::length);
    catalogue.add(GROUP, "octet_length", "", OctetLength.class, (c, e) -> bytes(c, e));
    catalogue.add(
        GROUP,
        "bit_length",
        "",
        BitLength.class,
        (c, e) ->
            c.program()
                .binary(Abi.OP_MUL, Abi.T_I32, bytes(c, e), c.program().constant(Abi.T_I32, 8), 0));
    catalogue.add(
        GROUP,
        "substring, left, right",
        "of strings",
        Substring.class,
        (c, e) -> {
          requireString(e, 0);
          return all(c, e, ExprAbi.OP_SUBSTRING, Abi.T_STR);
        });
    catalogue.add(
        GROUP,
        "substring_index",
        "",
        SubstringIndex.class,
        (c, e) -> all(c, e, ExprAbi.OP_SUBSTRING_INDEX, Abi.T_STR));
    catalogue.add(
        GROUP, "trim, btrim", "", StringTrim.class, (c, e) -> trim(c, e, ExprAbi.OP_TRIM));
    catalogue.add(GROUP, "ltrim", "", StringTrimLeft.class, (c, e) -> trim(c, e, ExprAbi.OP_LTRIM));
    catalogue.add(
        GROUP, "rtrim", "", StringTrimRight.class, (c, e) -> trim(c, e, ExprAbi.OP_RTRIM));
    catalogue.add(
        GROUP, "upper", BEYOND_ASCII, Upper.class, (c, e) -> cased(c, e, ExprAbi.OP_UPPER));
    catalogue.add(
        GROUP, "lower", BEYOND_ASCII, Lower.class, (c, e) -> cased(c, e, ExprAbi.OP_LOWER));
    catalogue.add(GROUP, "initcap", Functions.BY_SPARK, InitCap.class, ExpressionCompiler::hosted);
    catalogue.add(GROUP, "instr", "", StringInstr.class, TextCompiler::instr);
    catalogue.add(
        GROUP,
        "locate, position",
        "a constant start",
        StringLocate.class,
        (c, e) -> locate(c, (StringLocate) e));
    catalogue.add(
        GROUP,
        "replace",
        "",
        StringReplace.class,
        (c, e) -> all(c, e, ExprAbi.OP_REPLACE, Abi.T_STR));
    catalogue.add(GROUP, "concat, a || b", "of strings", Concat.class, TextCompiler::concat);
    catalogue.add(GROUP, "concat_ws", "of strings", ConcatWs.class, TextCompiler::concatWs);
    catalogue.add(
        GROUP,
        "repeat",
        "a constant number up to " + MOST_REPEATS,
        StringRepeat.class,
        (c, e) -> {
          requireCount(e);
          return all(c, e, ExprAbi.OP_REPEAT, Abi.T_STR);
        });
    catalogue.add(
        GROUP,
        "lpad",
        "a constant length up to " + MOST_REPEATS,
        StringLPad.class,
        (c, e) -> {
          requireCount(e);
          return all(c, e, ExprAbi.OP_LPAD, Abi.T_STR);
        });
    catalogue.add(
        GROUP,
        "rpad",
        "a constant length up to " + MOST_REPEATS,
        StringRPad.class,
        (c, e) -> {
          requireCount(e);
          return all(c, e, ExprAbi.OP_RPAD, Abi.T_STR);
        });
    catalogue.add(
        GROUP,
        "reverse",
        "of strings",
        Reverse.class,
        (c, e) -> {
          requireString(e, 0);
          return c.program().unary(ExprAbi.OP_REVERSE, Abi.T_STR, Functions.onlyChild(c, e), 0);
        });
  }

  private static int test(ExpressionCompiler c, Expression e, int op) throws UnsupportedException {
    return all(c, e, op, Abi.T_BOOL);
  }

  /** Two or three operands as they stand. */
  private static int all(ExpressionCompiler c, Expression e, int op, int type)
      throws UnsupportedException {
    List<Expression> operands = ExpressionCompiler.list(e.children());
    int first = c.compile(operands.get(0));
    int second = c.compile(operands.get(1));
    return operands.size() == 2
        ? c.program().binary(op, type, first, second, 0)
        : c.program().ternary(op, type, first, second, c.compile(operands.get(2)), 0);
  }

  private static int like(ExpressionCompiler c, Like e) throws UnsupportedException {
    if (!(e.right() instanceof Literal literal)
        || !(literal.value() instanceof UTF8String pattern)) {
      throw new UnsupportedException("LIKE with a pattern that is not constant");
    }
    int encoded =
        c.program().constant(Abi.T_STR, LikePattern.encode(pattern.toString(), e.escapeChar()));
    int text = c.compile(e.left());
    return c.program().binary(ExprAbi.OP_LIKE, Abi.T_BOOL, text, encoded, c.host(e));
  }

  private static int length(ExpressionCompiler c, Expression e) throws UnsupportedException {
    if (e.children().head().dataType() instanceof BinaryType) {
      return bytes(c, e);
    }
    return c.program().unary(ExprAbi.OP_LENGTH, Abi.T_I32, Functions.onlyChild(c, e), 0);
  }

  private static int bytes(ExpressionCompiler c, Expression e) throws UnsupportedException {
    return c.program().unary(ExprAbi.OP_BYTES, Abi.T_I32, Functions.onlyChild(c, e), 0);
  }

  private static int trim(ExpressionCompiler c, Expression e, int op) throws UnsupportedException {
    List<Expression> operands = ExpressionCompiler.list(e.children());
    int text = c.compile(operands.get(0));
    return operands.size() == 1
        ? c.program().binary(op, Abi.T_STR, text, text(c, " "), 1)
        : c.program().binary(op, Abi.T_STR, text, c.compile(operands.get(1)), 0);
  }

  private static int cased(ExpressionCompiler c, Expression e, int op) throws UnsupportedException {
    return c.program().unary(op, Abi.T_STR, Functions.onlyChild(c, e), c.host(e));
  }

  private static int instr(ExpressionCompiler c, Expression e) throws UnsupportedException {
    List<Expression> operands = ExpressionCompiler.list(e.children());
    int text = c.compile(operands.get(0));
    int part = c.compile(operands.get(1));
    int start = c.program().constant(Abi.T_I32, 1);
    return c.program().ternary(ExprAbi.OP_LOCATE, Abi.T_I32, text, part, start, 0);
  }

  private static int locate(ExpressionCompiler c, StringLocate e) throws UnsupportedException {
    // A null start gives 0, where any other null gives null.
    if (!(e.start() instanceof Literal literal) || literal.value() == null) {
      throw new UnsupportedException("locate with a start that is not constant");
    }
    int text = c.compile(e.str());
    int part = c.compile(e.substr());
    return c.program().ternary(ExprAbi.OP_LOCATE, Abi.T_I32, text, part, c.compile(e.start()), 0);
  }

  private static int concat(ExpressionCompiler c, Expression e) throws UnsupportedException {
    List<Integer> parts = new ArrayList<>();
    for (Expression child : ExpressionCompiler.list(e.children())) {
      parts.add(c.compile(child));
    }
    if (parts.isEmpty()) {
      return text(c, "");
    }
    return joined(
        parts, (left, right) -> c.program().binary(ExprAbi.OP_CONCAT, Abi.T_STR, left, right, 0));
  }

  private static int concatWs(ExpressionCompiler c, Expression e) throws UnsupportedException {
    List<Expression> operands = ExpressionCompiler.list(e.children());
    int separator = c.compile(operands.get(0));
    List<Integer> parts = new ArrayList<>();
    for (Expression child : operands.subList(1, operands.size())) {
      if (!(child.dataType() instanceof StringType)) {
        throw new UnsupportedException("concat_ws of " + child.dataType().simpleString());
      }
      parts.add(c.compile(child));
    }
    int empty = text(c, "");
    int all =
        parts.isEmpty()
            ? empty
            : joined(
                parts,
                (left, right) ->
                    c.program().ternary(ExprAbi.OP_JOIN, Abi.T_STR, left, right, separator, 0));
    // Nulls are left out; only a null separator gives null.
    int present = c.program().unary(Abi.OP_IS_NOT_NULL, Abi.T_BOOL, separator, 0);
    int some = c.program().binary(Abi.OP_COALESCE, Abi.T_STR, all, empty, 0);
    return c.program().select(present, some, c.program().constant(Abi.T_STR, null));
  }

  private interface Joiner {
    int join(int left, int right);
  }

  /** By halves, so that a long list does not copy its beginning again and again. */
  private static int joined(List<Integer> parts, Joiner joiner) {
    if (parts.size() == 1) {
      return parts.get(0);
    }
    int half = parts.size() / 2;
    return joiner.join(
        joined(parts.subList(0, half), joiner), joined(parts.subList(half, parts.size()), joiner));
  }

  private static void requireString(Expression e, int child) throws UnsupportedException {
    Expression operand = ExpressionCompiler.list(e.children()).get(child);
    if (!(operand.dataType() instanceof StringType)) {
      throw new UnsupportedException(e.prettyName() + " of " + operand.dataType().simpleString());
    }
  }

  /** So that no row's string grows without measure, be it in a branch that Spark would not take. */
  private static void requireCount(Expression e) throws UnsupportedException {
    if (!(ExpressionCompiler.list(e.children()).get(1) instanceof Literal literal)
        || !(literal.value() instanceof Integer count)
        || count > MOST_REPEATS) {
      throw new UnsupportedException(
          e.prettyName() + " by other than a constant up to " + MOST_REPEATS);
    }
  }

  private static int text(ExpressionCompiler c, String text) {
    return c.program().constant(Abi.T_STR, text.getBytes(StandardCharsets.UTF_8));
  }
}
