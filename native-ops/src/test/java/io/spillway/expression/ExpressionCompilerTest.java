package io.spillway.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.kernel.Abi;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Hour;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.Like;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Literal$;
import org.apache.spark.sql.catalyst.expressions.Multiply;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.Rand;
import org.apache.spark.sql.catalyst.expressions.Remainder;
import org.apache.spark.sql.catalyst.expressions.SoundEx;
import org.apache.spark.sql.catalyst.expressions.StringRepeat;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.Metadata;
import org.junit.jupiter.api.Test;
import scala.Option;

/** The shape of programs, and the reasons why there is none. */
class ExpressionCompilerTest {
  private final Attribute a = column("a", DataTypes.LongType);
  private final Attribute b = column("b", DataTypes.LongType);
  private final Attribute x = column("x", DataTypes.DoubleType);
  private final Attribute text = column("text", DataTypes.StringType);
  private final Attribute wide = column("wide", new DecimalType(38, 10));
  private final Attribute list = column("list", DataTypes.createArrayType(DataTypes.IntegerType));
  private final Attribute time = column("time", DataTypes.TimestampType);
  private final List<Attribute> input = List.of(a, b, x, text, wide, list, time);

  @Test
  void shouldWriteNothingWhenOutputsAreColumns() throws UnsupportedException {
    Program program = compile(b, text);

    assertThat(program.passThrough()).containsExactly(1, 3);
    assertThat(program.code()).isEmpty();
    assertThat(program.inputs()).isEmpty();
  }

  @Test
  void shouldComputeASharedPartOnceWhenSeveralExpressionsHaveIt() throws UnsupportedException {
    Expression shared = add(a, b);

    Program program = compile(times(shared, shared), add(shared, literal(1L)), shared);

    assertThat(program.code()).hasSize(3 * Abi.INSTR_SIZE);
    assertThat(program.inputs()).containsExactly(0, 1);
  }

  @Test
  void shouldNotTakeSumsForTheSameWhenTheirOrderDiffers() throws UnsupportedException {
    Expression one = literal(1.0);
    Expression two = literal(2.0);

    Program program = compile(add(add(x, one), two), add(add(x, two), one));

    assertThat(program.code()).hasSize(4 * Abi.INSTR_SIZE);
  }

  @Test
  void shouldReuseScratchRegistersWhenAChainIsLong() throws UnsupportedException {
    Expression chain = a;
    for (long i = 0; i < 50; i++) {
      chain = add(chain, literal(i));
    }

    Program program = compile(chain);

    assertThat(program.code()).hasSize(50 * Abi.INSTR_SIZE);
    assertThat(program.scratchTypes()).hasSizeLessThanOrEqualTo(2);
  }

  @Test
  void shouldCopyWhenAnOutputIsAConstantOrComesTwice() throws UnsupportedException {
    Expression sum = add(a, b);

    Program program = compile(sum, sum, literal(7L));

    // One addition, a copy of it, a copy of the constant.
    assertThat(program.code()).hasSize(3 * Abi.INSTR_SIZE);
    assertThat(program.outputTypes()).containsExactly(Abi.T_I64, Abi.T_I64, Abi.T_I64);
  }

  @Test
  void shouldTellConstantsApartWhenOnlyTheirSignOfZeroDiffers() throws UnsupportedException {
    Program program = compile(add(x, literal(0.0)), times(x, literal(-0.0)));

    assertThat(program.constants()).hasSize(2);
  }

  @Test
  void shouldBeEqualWhenSerialisedAndRead() throws Exception {
    Program program =
        compile(new In(text, RandomExpressions.seq(List.of(literal("v")))), add(a, literal(1L)));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(program);
    }

    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat(in.readObject()).isEqualTo(program).hasSameHashCodeAs(program);
    }
  }

  @Test
  void shouldSayWhyWhenItIsNotSupported() {
    assertReason(new SoundEx(text), "expression soundex");
    assertReason(new Rand(literal(1L)), "non-deterministic expression rand");
    assertReason(list, "type array<int>");
    assertReason(new Add(a, b, EvalMode.ANSI()), "ANSI mode: add may overflow");
    assertReason(new Remainder(wide, wide, EvalMode.LEGACY()), "remainder of decimals");
    assertReason(
        new Cast(text, DataTypes.IntegerType, Option.apply("UTC"), EvalMode.TRY()),
        "ANSI mode: cast from string to int may fail");
    assertReason(
        new Hour(time, Option.apply("Europe/Berlin")),
        "time zone Europe/Berlin, whose offset changes");
    assertReason(new Like(text, text, '\\'), "LIKE with a pattern that is not constant");
    assertReason(new StringRepeat(text, literal(70000)), "repeat by other than a constant");
    List<Expression> many = new ArrayList<>();
    for (long i = 0; i < 65; i++) {
      many.add(literal(i));
    }
    assertReason(new In(a, RandomExpressions.seq(many)), "an IN list of 65 values");
  }

  @Test
  void shouldSayHowLargeWhenAProgramPassesTheKernelsLimits() {
    List<Expression> many = new ArrayList<>();
    for (long i = 0; i < Abi.EVAL_MAX_REGISTERS; i++) {
      many.add(add(a, literal(i)));
    }

    assertThatThrownBy(() -> ExpressionCompiler.compile(many, input, false))
        .isInstanceOf(UnsupportedException.class)
        .hasMessageContaining("1024 instructions");
  }

  @Test
  void shouldAllowFloatingPointArithmeticWhenInAnsiMode() throws UnsupportedException {
    Expression sum = new Add(x, x, EvalMode.ANSI());

    assertThat(ExpressionCompiler.compile(List.of(sum), input, true).code()).isNotEmpty();
  }

  private Program compile(Object... expressions) throws UnsupportedException {
    List<Expression> list = new ArrayList<>();
    for (Object expression : expressions) {
      list.add((Expression) expression);
    }
    return ExpressionCompiler.compile(list, input, false);
  }

  private void assertReason(Expression expression, String reason) {
    assertThatThrownBy(() -> compile(expression))
        .isInstanceOf(UnsupportedException.class)
        .hasMessageStartingWith(reason);
  }

  private static Expression add(Expression left, Expression right) {
    return new Add(left, right, EvalMode.LEGACY());
  }

  private static Expression times(Expression left, Expression right) {
    return new Multiply(left, right, EvalMode.LEGACY());
  }

  private static Literal literal(Object value) {
    return Literal$.MODULE$.apply(value);
  }

  private static Attribute column(String name, DataType type) {
    return new AttributeReference(
        name,
        type,
        true,
        Metadata.empty(),
        NamedExpression.newExprId(),
        RandomExpressions.seq(List.<String>of()));
  }
}
