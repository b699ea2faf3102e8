package io.spillway.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Single operations of the expression machine, at every CPU level, against plain Java. */
class EvalKernelTest {
  private static final int ROWS = 1000;
  private static final BigInteger LIMIT = BigInteger.TEN.pow(20);

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final OffHeap memory = new OffHeap();

  @AfterEach
  void free() {
    memory.close();
  }

  private Object value(int type) {
    if (random.nextInt(5) == 0) {
      return null;
    }
    return switch (type) {
      case Abi.T_BOOL -> random.nextBoolean();
      case Abi.T_I32 -> random.nextInt(3) == 0 ? Integer.MIN_VALUE : random.nextInt();
      case Abi.T_I64 -> random.nextInt(3) == 0 ? Long.MIN_VALUE : random.nextLong();
      case Abi.T_F64 -> doubles()[random.nextInt(doubles().length)];
      case Abi.T_I128 -> new BigInteger(random.nextInt(127), random).negate();
      default -> OffHeap.utf8("ab".repeat(random.nextInt(9)) + (char) ('a' + random.nextInt(3)));
    };
  }

  private static double[] doubles() {
    return new double[] {
      0.0,
      -0.0,
      1.5,
      -1e300,
      Double.NaN,
      Double.POSITIVE_INFINITY,
      3e9,
      -2.5,
      1e19,
      Double.MIN_VALUE
    };
  }

  private List<Object> values(int type) {
    return IntStream.range(0, ROWS)
        .mapToObj(i -> value(type))
        .collect(ArrayList::new, List::add, List::addAll);
  }

  /** Evaluates {@code dst = op(operands)} at every level; they must agree; answers the results. */
  private List<Object> run(
      int op, int type, int imm, int dstType, int[] types, List<List<Object>> operands) {
    int registers = operands.size() + 1;
    long columns = memory.allocate((long) registers * Abi.COLUMN_SIZE);
    for (int k = 0; k < registers; k++) {
      boolean isDst = k == operands.size();
      memory.initColumn(
          OffHeap.column(columns, k), isDst ? dstType : types[k], Abi.KIND_VECTOR, ROWS);
      for (int r = 0; r < ROWS && !isDst; r++) {
        memory.put(OffHeap.column(columns, k), r, operands.get(k).get(r));
      }
    }
    long code = memory.allocate(Abi.INSTR_SIZE);
    Platform.putShort(null, code + Abi.INSTR_OP, (short) op);
    Platform.putShort(null, code + Abi.INSTR_TYPE, (short) type);
    Platform.putShort(null, code + Abi.INSTR_DST, (short) operands.size());
    Platform.putShort(null, code + Abi.INSTR_B, (short) Math.min(1, operands.size() - 1));
    Platform.putShort(null, code + Abi.INSTR_C, (short) Math.min(2, operands.size() - 1));
    Platform.putInt(null, code + Abi.INSTR_IMM, imm);
    long block = memory.allocate(Abi.EVAL_SIZE);
    Platform.putLong(null, block + Abi.EVAL_REGISTERS, columns);
    Platform.putLong(null, block + Abi.EVAL_CODE, code);
    Platform.putInt(null, block + Abi.EVAL_NREGISTERS, registers);
    Platform.putInt(null, block + Abi.EVAL_NINSTRUCTIONS, 1);
    Platform.putInt(null, block + Abi.EVAL_ROWS, ROWS);
    Platform.putInt(null, block + Abi.EVAL_CHUNK_ROWS, 100);
    long dst = OffHeap.column(columns, operands.size());
    List<Object> first = null;
    for (int level = 0; level <= Kernels.level(); level++) {
      assertThat(Kernels.eval(block, level)).isEqualTo(ROWS);
      List<Object> results = new ArrayList<>();
      for (int r = 0; r < ROWS; r++) {
        results.add(OffHeap.get(dst, r));
      }
      assertThat(OffHeap.hasNulls(dst)).isEqualTo(results.contains(null));
      assertThat(results)
          .as("level %s, seed %s", level, seed)
          .isEqualTo(first == null ? results : first);
      first = results;
    }
    return first;
  }

  private void binary(int op, int type, int imm, int dstType, BinaryOperator<Object> java) {
    List<Object> a = values(type);
    List<Object> b = values(type);
    List<Object> results = run(op, type, imm, dstType, new int[] {type, type}, List.of(a, b));
    for (int r = 0; r < ROWS; r++) {
      Object x = a.get(r);
      Object y = b.get(r);
      Object expected = x == null || y == null ? null : java.apply(x, y);
      assertThat(results.get(r))
          .as("op %s of %s and %s, seed %s", op, x, y, seed)
          .isEqualTo(expected);
    }
  }

  private void unary(int op, int type, int imm, int dstType, UnaryOperator<Object> java) {
    List<Object> a = values(type);
    List<Object> results = run(op, type, imm, dstType, new int[] {type}, List.of(a));
    for (int r = 0; r < ROWS; r++) {
      Object expected = a.get(r) == null ? null : java.apply(a.get(r));
      assertThat(results.get(r)).as("op %s of %s, seed %s", op, a.get(r), seed).isEqualTo(expected);
    }
  }

  @Test
  void shouldWrapAsJavaDoesWhenIntegersOverflow() {
    binary(Abi.OP_ADD, Abi.T_I32, 0, Abi.T_I32, (x, y) -> (Integer) x + (Integer) y);
    binary(Abi.OP_SUB, Abi.T_I64, 0, Abi.T_I64, (x, y) -> (Long) x - (Long) y);
    binary(Abi.OP_MUL, Abi.T_I64, 0, Abi.T_I64, (x, y) -> (Long) x * (Long) y);
    unary(Abi.OP_NEG, Abi.T_I32, 0, Abi.T_I32, x -> -(Integer) x);
  }

  @Test
  void shouldGiveNullWhenTheDivisorIsZero() {
    binary(
        Abi.OP_DIV,
        Abi.T_F64,
        0,
        Abi.T_F64,
        (x, y) -> (Double) y == 0 ? null : (Double) x / (Double) y);
  }

  @Test
  void shouldOrderDoublesAsSparkDoes() {
    binary(Abi.OP_LT, Abi.T_F64, 0, Abi.T_BOOL, (x, y) -> compare(x, y) < 0);
    binary(Abi.OP_LE, Abi.T_F64, 0, Abi.T_BOOL, (x, y) -> compare(x, y) <= 0);
    binary(Abi.OP_EQ, Abi.T_F64, 0, Abi.T_BOOL, (x, y) -> compare(x, y) == 0);
    binary(Abi.OP_NE, Abi.T_F64, 0, Abi.T_BOOL, (x, y) -> compare(x, y) != 0);
  }

  private static int compare(Object x, Object y) {
    // Spark's SQLOrderingUtil.compareDoubles: equal by value first, so that -0.0 equals 0.0.
    double a = (Double) x;
    double b = (Double) y;
    return a == b ? 0 : Double.compare(a, b);
  }

  @Test
  void shouldCastAsJavaCasts() {
    unary(Abi.OP_CAST, Abi.T_F64, Abi.T_I32, Abi.T_I32, x -> (int) (double) (Double) x);
    unary(Abi.OP_CAST, Abi.T_F64, Abi.T_I64, Abi.T_I64, x -> (long) (double) (Double) x);
    unary(Abi.OP_CAST, Abi.T_F64, Abi.T_I8, Abi.T_I8, x -> (byte) (double) (Double) x);
    unary(Abi.OP_CAST, Abi.T_I64, Abi.T_I16, Abi.T_I16, x -> (short) (long) (Long) x);
    unary(Abi.OP_CAST, Abi.T_I64, Abi.T_F32, Abi.T_F32, x -> (float) (long) (Long) x);
  }

  @Test
  void shouldGiveNullWhenADecimalLeavesItsDigits() {
    BinaryOperator<Object> bounded =
        (x, y) -> {
          BigInteger sum = ((BigInteger) x).add((BigInteger) y);
          return sum.abs().compareTo(LIMIT) >= 0 ? null : sum;
        };
    binary(Abi.OP_DEC_ADD, Abi.T_I128, 20, Abi.T_I128, bounded);
    binary(
        Abi.OP_DEC_MUL,
        Abi.T_I64,
        38,
        Abi.T_I128,
        (x, y) -> {
          BigInteger product = BigInteger.valueOf((Long) x).multiply(BigInteger.valueOf((Long) y));
          return product.abs().compareTo(BigInteger.TEN.pow(38)) >= 0 ? null : product;
        });
  }

  @Test
  void shouldFollowThreeValuedLogicWhenOperandsAreNull() {
    List<Object> a = values(Abi.T_BOOL);
    List<Object> b = values(Abi.T_BOOL);
    int[] types = {Abi.T_BOOL, Abi.T_BOOL};
    List<Object> and = run(Abi.OP_AND, Abi.T_BOOL, 0, Abi.T_BOOL, types, List.of(a, b));
    List<Object> or = run(Abi.OP_OR, Abi.T_BOOL, 0, Abi.T_BOOL, types, List.of(a, b));
    for (int r = 0; r < ROWS; r++) {
      Boolean x = (Boolean) a.get(r);
      Boolean y = (Boolean) b.get(r);
      boolean unknown = x == null || y == null;
      boolean oneFalse = Boolean.FALSE.equals(x) || Boolean.FALSE.equals(y);
      boolean oneTrue = Boolean.TRUE.equals(x) || Boolean.TRUE.equals(y);
      assertThat(and.get(r))
          .as("%s and %s", x, y)
          .isEqualTo(oneFalse ? (Object) false : unknown ? null : true);
      assertThat(or.get(r))
          .as("%s or %s", x, y)
          .isEqualTo(oneTrue ? (Object) true : unknown ? null : false);
    }
  }

  @Test
  void shouldCompareStringsBytewiseWhenTheyAreShortOrLong() {
    BinaryOperator<Object> contains = (x, y) -> text(x).contains(text(y));
    binary(Abi.OP_LT, Abi.T_STR, 0, Abi.T_BOOL, (x, y) -> text(x).compareTo(text(y)) < 0);
    binary(Abi.OP_EQ, Abi.T_STR, 0, Abi.T_BOOL, (x, y) -> text(x).equals(text(y)));
    binary(Abi.OP_CONTAINS, Abi.T_STR, 0, Abi.T_BOOL, contains);
    binary(Abi.OP_ENDS_WITH, Abi.T_STR, 0, Abi.T_BOOL, (x, y) -> text(x).endsWith(text(y)));
  }

  private static String text(Object bytes) {
    return new String((byte[]) bytes, java.nio.charset.StandardCharsets.UTF_8);
  }

  @Test
  void shouldFindTheYearOfAnyDay() {
    List<Object> days = new ArrayList<>();
    for (int r = 0; r < ROWS; r++) {
      days.add(
          r < 10
              ? (r % 2 == 0 ? Integer.MIN_VALUE + r : Integer.MAX_VALUE - r)
              : random.nextInt(2_000_000) - 1_000_000);
    }
    List<Object> years =
        run(Abi.OP_YEAR, Abi.T_I32, 0, Abi.T_I32, new int[] {Abi.T_I32}, List.of(days));
    for (int r = 0; r < ROWS; r++) {
      assertThat(years.get(r))
          .as("day %s", days.get(r))
          .isEqualTo(java.time.LocalDate.ofEpochDay((Integer) days.get(r)).getYear());
    }
  }

  @Test
  void shouldRefuseAProgramWhenAnOperationIsUnknown() {
    List<Object> a = values(Abi.T_I32);
    int[] types = {Abi.T_I32};
    assertThatThrownBy(() -> run(99, Abi.T_I32, 0, Abi.T_I32, types, List.of(a)))
        .isInstanceOf(KernelException.class)
        .hasMessageContaining("an instruction or register is not known");
    assertThatThrownBy(() -> run(Abi.OP_NEG, Abi.T_I64, 0, Abi.T_I32, types, List.of(a)))
        .isInstanceOf(KernelException.class)
        .hasMessageContaining("a type is not known or does not fit");
  }
}
