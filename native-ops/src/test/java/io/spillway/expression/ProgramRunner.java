package io.spillway.expression;

import io.spillway.kernel.Abi;
import io.spillway.kernel.Kernels;
import io.spillway.operator.HostCalls;
import io.spillway.operator.NativeVector;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** Runs a program over rows of Spark in memory of its own, without any operator around it. */
final class ProgramRunner implements AutoCloseable {
  private static final int CHUNK_ROWS = 64;

  private final List<Long> blocks = new ArrayList<>();
  private final Program program;
  private final DataType[] inputTypes;
  private final DataType[] outputTypes;
  private int heapCalls;
  private int hostCalls;

  ProgramRunner(Program program, DataType[] inputTypes, DataType[] outputTypes) {
    this.program = program;
    this.inputTypes = inputTypes;
    this.outputTypes = outputTypes;
  }

  /** The outputs, row by row, as Catalyst's own values. */
  Object[][] run(List<InternalRow> rows, int level) {
    long registers = allocate((long) program.registerCount() * Abi.COLUMN_SIZE);
    int register = 0;
    for (int ordinal : program.inputs()) {
      describeInput(registers + (long) register++ * Abi.COLUMN_SIZE, rows, ordinal);
    }
    for (Program.Constant constant : program.constants()) {
      describeConstant(registers + (long) register++ * Abi.COLUMN_SIZE, constant);
    }
    for (int type : program.scratchTypes()) {
      describe(registers + (long) register++ * Abi.COLUMN_SIZE, type, Abi.KIND_SCRATCH, CHUNK_ROWS);
    }
    int firstOutput = register;
    for (int type : program.outputTypes()) {
      describe(registers + (long) register++ * Abi.COLUMN_SIZE, type, Abi.KIND_VECTOR, rows.size());
    }
    if (program.code().length > 0) {
      eval(registers, rows.size(), level);
    }
    Object[][] results = new Object[rows.size()][outputTypes.length];
    for (int i = 0; i < outputTypes.length; i++) {
      long column = registers + (long) (firstOutput + i) * Abi.COLUMN_SIZE;
      if (program.passThrough()[i] >= 0) {
        // The child's own column, read as the output's type: an unscaled value passes through too.
        describeInput(column, rows, program.passThrough()[i]);
      }
      read(column, i, results);
    }
    return results;
  }

  private void eval(long registers, int rows, int level) {
    long code = allocate(program.code().length);
    Platform.copyMemory(
        program.code(), Platform.BYTE_ARRAY_OFFSET, null, code, program.code().length);
    long block = allocate(Abi.EVAL_SIZE);
    Platform.putLong(null, block + Abi.EVAL_REGISTERS, registers);
    Platform.putLong(null, block + Abi.EVAL_CODE, code);
    Platform.putInt(null, block + Abi.EVAL_NREGISTERS, program.registerCount());
    Platform.putInt(null, block + Abi.EVAL_NINSTRUCTIONS, program.code().length / Abi.INSTR_SIZE);
    Platform.putInt(null, block + Abi.EVAL_ROWS, rows);
    Platform.putInt(null, block + Abi.EVAL_CHUNK_ROWS, CHUNK_ROWS);
    HostCalls hosts = new HostCalls(program);
    long done = Kernels.eval(block, level);
    while (done < 0) {
      if (done == Abi.NEEDS_BYTES) {
        // A little room at a time, so that programs are interrupted often.
        setHeap(block, Platform.getLong(null, block + Abi.EVAL_NEED));
        heapCalls++;
      } else {
        hosts.compute(block, this::allocate);
        hostCalls++;
      }
      done = Kernels.eval(block, level);
    }
    if (done != rows) {
      throw new AssertionError("eval did " + done + " of " + rows + " rows");
    }
  }

  private void setHeap(long block, long bytes) {
    long heap = allocate(bytes);
    Platform.putLong(null, block + Abi.EVAL_HEAP, heap);
    Platform.putLong(null, block + Abi.EVAL_HEAP_END, heap + bytes);
  }

  /** How often a program had to be given room for strings. */
  int heapCalls() {
    return heapCalls;
  }

  /** How often rows were left to Spark's own code. */
  int hostCalls() {
    return hostCalls;
  }

  private void read(long column, int output, Object[][] results) {
    NativeVector vector =
        new NativeVector(outputTypes[output])
            .pointTo(
                Platform.getLong(null, column + Abi.COLUMN_VALUES),
                Platform.getLong(null, column + Abi.COLUMN_NULLS),
                results.length);
    for (int row = 0; row < results.length; row++) {
      results[row][output] = value(vector, row, outputTypes[output]);
    }
  }

  private static Object value(NativeVector vector, int row, DataType type) {
    if (vector.isNullAt(row)) {
      return null;
    }
    return switch (vector.nativeType()) {
      case Abi.T_BOOL -> vector.getBoolean(row);
      case Abi.T_I8 -> vector.getByte(row);
      case Abi.T_I16 -> vector.getShort(row);
      case Abi.T_I32 -> vector.getInt(row);
      case Abi.T_F32 -> vector.getFloat(row);
      case Abi.T_F64 -> vector.getDouble(row);
      case Abi.T_STR -> UTF8String.fromBytes(vector.getBinary(row));
      default ->
          type instanceof DecimalType decimal
              ? vector.getDecimal(row, decimal.precision(), decimal.scale())
              : (Object) vector.getLong(row);
    };
  }

  private void describeInput(long column, List<InternalRow> rows, int ordinal) {
    int type = NativeTypes.of(inputTypes[ordinal]).getAsInt();
    long values = describe(column, type, Abi.KIND_VECTOR, rows.size());
    long nulls = Platform.getLong(null, column + Abi.COLUMN_NULLS);
    for (int row = 0; row < rows.size(); row++) {
      Object value = rows.get(row).get(ordinal, inputTypes[ordinal]);
      Platform.putByte(null, nulls + row, (byte) (value == null ? 1 : 0));
      if (value != null) {
        put(values + (long) row * NativeTypes.width(type), type, value);
      }
    }
  }

  private void describeConstant(long column, Program.Constant constant) {
    long value = describe(column, constant.type(), Abi.KIND_CONSTANT, 1);
    long isNull = Platform.getLong(null, column + Abi.COLUMN_NULLS);
    Platform.putByte(null, isNull, (byte) (constant.value() == null ? 1 : 0));
    if (constant.value() != null) {
      put(value, constant.type(), constant.value());
    }
  }

  private long describe(long column, int type, int kind, int rows) {
    long values = allocate((long) rows * NativeTypes.width(type));
    Platform.putLong(null, column + Abi.COLUMN_VALUES, values);
    Platform.putLong(null, column + Abi.COLUMN_NULLS, allocate(rows));
    Platform.putInt(null, column + Abi.COLUMN_TYPE, type);
    Platform.putInt(null, column + Abi.COLUMN_KIND, kind);
    return values;
  }

  private void put(long target, int type, Object value) {
    if (value instanceof Boolean bool) {
      Platform.putBoolean(null, target, bool);
    } else if (value instanceof Float number) {
      Platform.putFloat(null, target, number);
    } else if (value instanceof Double number) {
      Platform.putDouble(null, target, number);
    } else if (value instanceof Decimal decimal) {
      put(target, type, decimal.toJavaBigDecimal().unscaledValue());
    } else if (value instanceof BigInteger number) {
      Platform.putLong(null, target, number.longValue());
      if (type == Abi.T_I128) {
        Platform.putLong(null, target + 8, number.shiftRight(64).longValue());
      }
    } else if (value instanceof UTF8String text) {
      putBytes(target, text.getBytes());
    } else if (value instanceof byte[] bytes) {
      putBytes(target, bytes);
    } else {
      putWhole(target, type, ((Number) value).longValue());
    }
  }

  private static void putWhole(long target, int type, long value) {
    switch (NativeTypes.width(type)) {
      case 1 -> Platform.putByte(null, target, (byte) value);
      case 2 -> Platform.putShort(null, target, (short) value);
      case 4 -> Platform.putInt(null, target, (int) value);
      default -> Platform.putLong(null, target, value);
    }
  }

  private void putBytes(long target, byte[] bytes) {
    Platform.putInt(null, target, bytes.length);
    long text = bytes.length <= Abi.STR_INLINE_BYTES ? target + 4 : allocate(bytes.length);
    Platform.copyMemory(bytes, Platform.BYTE_ARRAY_OFFSET, null, text, bytes.length);
    if (bytes.length > Abi.STR_INLINE_BYTES) {
      Platform.copyMemory(bytes, Platform.BYTE_ARRAY_OFFSET, null, target + 4, 4);
      Platform.putLong(null, target + Abi.STR_ADDRESS, text);
    }
  }

  private long allocate(long bytes) {
    long size = Math.max(8, (bytes + 7) & ~7L);
    long block = Platform.allocateMemory(size);
    Platform.setMemory(block, (byte) 0, size);
    blocks.add(block);
    return block;
  }

  @Override
  public void close() {
    blocks.forEach(Platform::freeMemory);
    blocks.clear();
  }
}
