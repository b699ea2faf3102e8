package io.spillway.operator;

import io.spillway.expression.Program;
import io.spillway.kernel.Abi;
import io.spillway.kernel.ExprAbi;
import java.math.BigInteger;
import java.util.function.LongUnaryOperator;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Computes the rows that a kernel leaves to its caller, with Spark's own expressions. Used by one
 * thread; keeps copies of the expressions, as some have state.
 */
public final class HostCalls {
  private final Expression[] functions;
  private final NativeVector[][] arguments;

  /** For one evaluator of a program. */
  public HostCalls(Program program) {
    Program.Host[] hosts = program.hosts();
    functions = new Expression[hosts.length];
    arguments = new NativeVector[hosts.length][];
    for (int i = 0; i < hosts.length; i++) {
      functions[i] = hosts[i].function().clone();
      arguments[i] =
          hosts[i].arguments().stream().map(NativeVector::new).toArray(NativeVector[]::new);
    }
  }

  /**
   * Computes what the interrupted evaluation left, and lets it go on behind that instruction.
   *
   * @param block the {@code spw_eval} that came to {@link Abi#NEEDS_HOST}
   * @param text gives room for the bytes of one string: bytes to address
   */
  public void compute(long block, LongUnaryOperator text) {
    int instruction = Platform.getInt(null, block + Abi.EVAL_AT_INSTRUCTION);
    long code = Platform.getLong(null, block + Abi.EVAL_CODE) + (long) instruction * Abi.INSTR_SIZE;
    int host = Platform.getInt(null, code + Abi.INSTR_IMM);
    int start = Platform.getInt(null, block + Abi.EVAL_AT_ROW);
    int rows =
        Math.min(
            Platform.getInt(null, block + Abi.EVAL_CHUNK_ROWS),
            Platform.getInt(null, block + Abi.EVAL_ROWS) - start);
    long registers = Platform.getLong(null, block + Abi.EVAL_REGISTERS);
    NativeVector[] operands = arguments[host];
    boolean[] constant = new boolean[operands.length];
    for (int k = 0; k < operands.length; k++) {
      long register = registers + operand(code, k) * Abi.COLUMN_SIZE;
      constant[k] = Platform.getInt(null, register + Abi.COLUMN_KIND) == Abi.KIND_CONSTANT;
      pointTo(operands[k], register, start, rows);
    }
    long target =
        registers + (long) Platform.getShort(null, code + Abi.INSTR_DST) * Abi.COLUMN_SIZE;
    long values = firstValue(target, start);
    long nulls = firstNull(target, start);
    int width = Abi.width(Platform.getInt(null, target + Abi.COLUMN_TYPE));
    GenericInternalRow row = new GenericInternalRow(operands.length);
    for (int r = 0; r < rows; r++) {
      if (Platform.getByte(null, nulls + r) != ExprAbi.HOST_ROW) {
        continue;
      }
      for (int k = 0; k < operands.length; k++) {
        row.update(k, value(operands[k], constant[k] ? 0 : r));
      }
      Object result = functions[host].eval(row);
      Platform.putByte(null, nulls + r, (byte) (result == null ? 1 : 0));
      put(values + (long) r * width, width, result, text);
    }
    Platform.putInt(null, block + Abi.EVAL_AT_INSTRUCTION, instruction + 1);
  }

  private static long operand(long code, int k) {
    int field = k == 0 ? Abi.INSTR_A : k == 1 ? Abi.INSTR_B : Abi.INSTR_C;
    return Platform.getShort(null, code + field);
  }

  private static void pointTo(NativeVector vector, long register, int start, int rows) {
    boolean nullable = Platform.getLong(null, register + Abi.COLUMN_NULLS) != 0;
    vector.pointTo(firstValue(register, start), nullable ? firstNull(register, start) : 0, rows);
  }

  private static long firstValue(long register, int start) {
    long width = Abi.width(Platform.getInt(null, register + Abi.COLUMN_TYPE));
    return Platform.getLong(null, register + Abi.COLUMN_VALUES) + offset(register, start) * width;
  }

  private static long firstNull(long register, int start) {
    return Platform.getLong(null, register + Abi.COLUMN_NULLS) + offset(register, start);
  }

  /** Vectors hold all rows, constants one, scratch registers those of the chunk. */
  private static long offset(long register, int start) {
    return Platform.getInt(null, register + Abi.COLUMN_KIND) == Abi.KIND_VECTOR ? start : 0;
  }

  private static Object value(NativeVector vector, int row) {
    if (vector.isNullAt(row)) {
      return null;
    }
    DataType type = vector.dataType();
    return switch (vector.nativeType()) {
      case Abi.T_BOOL -> vector.getBoolean(row);
      case Abi.T_I8 -> vector.getByte(row);
      case Abi.T_I16 -> vector.getShort(row);
      case Abi.T_I32 -> vector.getInt(row);
      case Abi.T_F32 -> vector.getFloat(row);
      case Abi.T_F64 -> vector.getDouble(row);
      case Abi.T_STR ->
          type instanceof BinaryType ? vector.getBinary(row) : (Object) vector.getUTF8String(row);
      default ->
          type instanceof DecimalType decimal
              ? vector.getDecimal(row, decimal.precision(), decimal.scale())
              : (Object) vector.getLong(row);
    };
  }

  private static void put(long target, int width, Object value, LongUnaryOperator text) {
    if (value == null) {
      Platform.setMemory(target, (byte) 0, width);
      return;
    }
    if (BoxedValue.put(target, value)) {
      return;
    }
    if (value instanceof Decimal decimal) {
      BigInteger unscaled = decimal.toJavaBigDecimal().unscaledValue();
      Platform.putLong(null, target, unscaled.longValue());
      if (width == 16) {
        GetterImporter.putInt128(target, unscaled);
      }
    } else if (value instanceof UTF8String || value instanceof byte[]) {
      putText(target, value, text);
    } else {
      throw new IllegalStateException("no kernel value: " + value.getClass());
    }
  }

  private static void putText(long target, Object value, LongUnaryOperator text) {
    int length = StringImporter.length(value);
    Platform.setMemory(target, (byte) 0, Abi.STR_SIZE);
    Platform.putInt(null, target, length);
    if (length <= Abi.STR_INLINE_BYTES) {
      StringImporter.copy(value, target + Abi.STR_PREFIX, length);
      return;
    }
    long bytes = text.applyAsLong(length);
    StringImporter.copy(value, bytes, length);
    Platform.copyMemory(null, bytes, null, target + Abi.STR_PREFIX, 4);
    Platform.putLong(null, target + Abi.STR_ADDRESS, bytes);
  }
}
