package io.spillway.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.kernel.Abi;
import io.spillway.kernel.Kernels;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.CheckOverflow;
import org.apache.spark.sql.catalyst.expressions.DecimalDivideWithOverflowCheck;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.KnownFloatingPointNormalized;
import org.apache.spark.sql.catalyst.expressions.KnownNotNull;
import org.apache.spark.sql.catalyst.expressions.KnownNullable;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import scala.collection.JavaConverters;

/** Programs against Spark's own two evaluators, on random expressions and rows. */
class ExpressionCompilerPropertyTest {
  private static final int PROGRAMS = 35;
  private static final int ROWS = 130;
  private static final List<DataType> FUNCTION_TYPES =
      List.of(
          DataTypes.StringType,
          DataTypes.DateType,
          DataTypes.TimestampType,
          DataTypes.IntegerType,
          DataTypes.LongType,
          DataTypes.DoubleType);
  private static final Set<String> COMPILED = new TreeSet<>();
  private static long heapCalls;
  private static long hostCalls;

  static LongStream seeds() {
    Long only = Long.getLong("spillway.expression.seed");
    int more = Integer.getInteger("spillway.expression.seeds", 0);
    return only != null
        ? LongStream.of(only)
        : LongStream.concat(
            LongStream.of(1, 20261130, 77, 4711), LongStream.range(100, 100 + more));
  }

  /** What no program has shown is not shown. */
  @AfterAll
  static void shouldHaveCompiledEveryFunctionOfTheCatalogue() {
    if (Long.getLong("spillway.expression.seed") == null) {
      assertThat(COMPILED)
          .containsAll(
              Functions.types().stream()
                  .filter(type -> !ELSEWHERE.contains(type))
                  .map(Class::getSimpleName)
                  .toList());
      assertThat(heapCalls).as("times that programs had to be given room for strings").isPositive();
      assertThat(hostCalls).as("times that rows were left to Spark's code").isPositive();
    }
  }

  /** What only Spark's analysis makes, or what takes a query to show. */
  private static final Set<Class<?>> ELSEWHERE =
      Set.of(
          CheckOverflow.class,
          DecimalDivideWithOverflowCheck.class,
          KnownNotNull.class,
          KnownNullable.class,
          KnownFloatingPointNormalized.class);

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void shouldGiveSparksValueWhenRandomExpressionsRunOverRandomRows(long seed) {
    Random random = new Random(seed);
    int compiled = 0;
    for (int i = 0; i < PROGRAMS; i++) {
      List<Attribute> columns = columns();
      RandomExpressions generator = new RandomExpressions(columns, random);
      List<Expression> expressions = new ArrayList<>();
      List<Expression> generated = new ArrayList<>();
      for (int n = random.nextInt(4); n >= 0; n--) {
        generated.add(generator.any(1 + random.nextInt(4)));
      }
      RandomFunctions functions = new RandomFunctions(generator, random);
      for (DataType type : FUNCTION_TYPES) {
        generated.add(functions.of(type, random.nextInt(2)));
      }
      for (Expression expression : generated) {
        if (isSupported(expression, columns)) {
          expressions.add(expression);
          addTo(COMPILED, expression);
        }
      }
      compiled += expressions.size();
      check(expressions, columns, rows(columns, random));
    }
    // Most of what is generated has to be compiled, or this test shows nothing.
    assertThat(compiled).as("compiled expressions, seed %d", seed).isGreaterThan(PROGRAMS);
  }

  private static void addTo(Set<String> names, Expression expression) {
    names.add(expression.getClass().getSimpleName());
    JavaConverters.seqAsJavaList(expression.children()).forEach(child -> addTo(names, child));
  }

  private static boolean isSupported(Expression expression, List<Attribute> columns) {
    try {
      return ExpressionCompiler.compile(List.of(expression), columns, false) != null;
    } catch (UnsupportedException e) {
      assertThat(e.reason()).isNotBlank();
      return false;
    }
  }

  private static void check(
      List<Expression> expressions, List<Attribute> columns, List<InternalRow> rows) {
    Program program;
    try {
      program = ExpressionCompiler.compile(expressions, columns, false);
    } catch (UnsupportedException e) {
      throw new AssertionError("each compiles alone, but not together: " + expressions, e);
    }
    DataType[] types = types(expressions);
    Object[][] expected = interpreted(expressions, columns, rows);
    assertSame(expected, generated(expressions, columns, rows, types), expressions, "codegen");
    for (int level = Abi.LEVEL_BASELINE; level <= Kernels.level(); level++) {
      try (ProgramRunner runner = new ProgramRunner(program, types(columns), types)) {
        assertSame(expected, runner.run(rows, level), expressions, "kernels, level " + level);
        heapCalls += runner.heapCalls();
        hostCalls += runner.hostCalls();
      }
    }
  }

  private static void assertSame(
      Object[][] expected, Object[][] actual, List<Expression> expressions, String by) {
    for (int row = 0; row < expected.length; row++) {
      for (int i = 0; i < expressions.size(); i++) {
        assertThat(RandomExpressions.comparable(actual[row][i]))
            .as("row %d of %s by %s", row, expressions.get(i), by)
            .isEqualTo(RandomExpressions.comparable(expected[row][i]));
      }
    }
  }

  private static Object[][] interpreted(
      List<Expression> expressions, List<Attribute> columns, List<InternalRow> rows) {
    List<Expression> bound = bound(expressions, columns);
    Object[][] results = new Object[rows.size()][bound.size()];
    for (int row = 0; row < rows.size(); row++) {
      for (int i = 0; i < bound.size(); i++) {
        results[row][i] = bound.get(i).eval(rows.get(row));
      }
    }
    return results;
  }

  private static Object[][] generated(
      List<Expression> expressions,
      List<Attribute> columns,
      List<InternalRow> rows,
      DataType[] types) {
    UnsafeProjection projection =
        UnsafeProjection.create(RandomExpressions.seq(bound(expressions, columns)));
    Object[][] results = new Object[rows.size()][types.length];
    for (int row = 0; row < rows.size(); row++) {
      UnsafeRow result = projection.apply(rows.get(row)).copy();
      for (int i = 0; i < types.length; i++) {
        results[row][i] = result.get(i, types[i]);
      }
    }
    return results;
  }

  private static List<Expression> bound(List<Expression> expressions, List<Attribute> columns) {
    return expressions.stream().map(expression -> bound(expression, columns)).toList();
  }

  private static Expression bound(Expression expression, List<Attribute> columns) {
    if (expression instanceof Attribute attribute) {
      return new BoundReference(columns.indexOf(attribute), attribute.dataType(), true);
    }
    List<Expression> children = bound(JavaConverters.seqAsJavaList(expression.children()), columns);
    return expression.withNewChildren(RandomExpressions.seq(children));
  }

  private static List<Attribute> columns() {
    List<DataType> types = new ArrayList<>(RandomExpressions.NUMBERS);
    types.addAll(RandomExpressions.DECIMALS);
    types.addAll(
        List.of(
            DataTypes.BooleanType,
            DataTypes.StringType,
            DataTypes.StringType,
            DataTypes.DateType,
            DataTypes.TimestampType,
            DataTypes.DoubleType));
    List<Attribute> columns = new ArrayList<>();
    for (DataType type : types) {
      columns.add(
          new AttributeReference(
              "c" + columns.size(),
              type,
              true,
              Metadata.empty(),
              NamedExpression.newExprId(),
              RandomExpressions.seq(List.<String>of())));
    }
    return columns;
  }

  private static List<InternalRow> rows(List<Attribute> columns, Random random) {
    List<InternalRow> rows = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      Object[] values = new Object[columns.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = RandomValues.nullable(columns.get(i).dataType(), random);
      }
      rows.add(new GenericInternalRow(values));
    }
    return rows;
  }

  private static DataType[] types(List<? extends Expression> expressions) {
    return expressions.stream().map(Expression::dataType).toArray(DataType[]::new);
  }
}
