package io.spillway.operator;

import io.spillway.expression.NativeTypes;
import io.spillway.expression.Program;
import io.spillway.kernel.Abi;
import io.spillway.kernel.Kernels;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import io.spillway.memory.Retry;
import java.math.BigInteger;
import org.apache.spark.unsafe.Platform;

/**
 * Runs a {@link Program} over slices. Holds its registers and the outputs' columns; the results are
 * valid until the next evaluation. Used by one thread.
 */
final class Evaluator {
  private static final int CHUNK_ROWS = 1024;

  private final OperatorMemory memory;
  private final Program program;
  private final ColumnBuffer[] buffers;
  private final long registers;
  private final long block;
  private final int firstOutput;
  private final TextHeap heap;
  private final HostCalls hosts;

  /**
   * @param maxRows the most rows of one evaluation
   */
  Evaluator(OperatorContext context, Program program, int maxRows) {
    this.memory = context.memory();
    this.program = program;
    this.heap = new TextHeap(memory, context.textLimitBytes());
    this.hosts = new HostCalls(program);
    int chunkRows =
        Math.max(Abi.EVAL_MIN_CHUNK_ROWS, Math.min(CHUNK_ROWS, Integer.highestOneBit(maxRows)));
    this.firstOutput =
        program.inputs().length + program.constants().length + program.scratchTypes().length;
    NativeBlock arena = memory.allocate(arenaBytes(program, chunkRows));
    Arena at = new Arena(arena.address());
    this.registers = at.take((long) program.registerCount() * Abi.COLUMN_SIZE);
    this.block = at.take(Abi.EVAL_SIZE);
    long code = at.take(program.code().length);
    Platform.setMemory(block, (byte) 0, Abi.EVAL_SIZE);
    Platform.copyMemory(
        program.code(), Platform.BYTE_ARRAY_OFFSET, null, code, program.code().length);
    Platform.putLong(null, block + Abi.EVAL_REGISTERS, registers);
    Platform.putLong(null, block + Abi.EVAL_CODE, code);
    Platform.putInt(null, block + Abi.EVAL_NREGISTERS, program.registerCount());
    Platform.putInt(null, block + Abi.EVAL_NINSTRUCTIONS, program.code().length / Abi.INSTR_SIZE);
    Platform.putInt(null, block + Abi.EVAL_CHUNK_ROWS, chunkRows);
    int register = program.inputs().length;
    for (Program.Constant constant : program.constants()) {
      putConstant(at, register(register++), constant);
    }
    for (int type : program.scratchTypes()) {
      long values = at.take((long) chunkRows * NativeTypes.width(type));
      NativeVector.describe(
          register(register++), type, Abi.KIND_SCRATCH, values, at.take(chunkRows));
    }
    this.buffers = new ColumnBuffer[program.outputTypes().length];
    for (int i = 0; i < buffers.length; i++) {
      if (program.passThrough()[i] < 0) {
        buffers[i] = ColumnBuffer.allocate(memory, program.outputTypes()[i], maxRows);
      }
    }
  }

  /**
   * Evaluates all expressions over some rows. Where the strings that they make find no memory, or
   * would leave none for others, the rows are halved first: ask for their number afterwards.
   *
   * @throws org.apache.spark.memory.SparkOutOfMemoryError if there is no memory for the strings of
   *     one row, or of rows that cannot be halved
   */
  void evaluate(NativeColumns rows) {
    describe(rows);
    if (program.code().length == 0) {
      return;
    }
    Retry.withLess(memory, () -> runWhatFits(rows), rows::halve);
    for (int i = 0; i < buffers.length; i++) {
      // What has no nulls says so, for the paths without null work further on.
      if (buffers[i] != null && Platform.getInt(null, output(i) + Abi.COLUMN_HAS_NULLS) == 0) {
        Platform.putLong(null, output(i) + Abi.COLUMN_NULLS, 0);
      }
    }
  }

  /** Fewer rows than there are, if their strings take more than their part of the share. */
  private void runWhatFits(NativeColumns rows) {
    boolean limited = true;
    boolean done = false;
    while (!done) {
      try {
        run(rows.rows(), limited);
        done = true;
      } catch (SliceTooLargeException e) {
        limited = rows.halve();
      }
    }
  }

  private void run(int rows, boolean limited) {
    Platform.putInt(null, block + Abi.EVAL_ROWS, rows);
    Platform.putInt(null, block + Abi.EVAL_AT_ROW, 0);
    Platform.putInt(null, block + Abi.EVAL_AT_INSTRUCTION, 0);
    setHeap(heap.start(limited));
    long result = Kernels.eval(block);
    while (result < 0) {
      if (result == Abi.NEEDS_BYTES) {
        setHeap(heap.grow(Platform.getLong(null, block + Abi.EVAL_NEED), rows));
      } else {
        hosts.compute(block, bytes -> text(bytes, rows));
      }
      result = Kernels.eval(block);
    }
  }

  private void setHeap(NativeBlock piece) {
    Platform.putLong(null, block + Abi.EVAL_HEAP, piece == null ? 0 : piece.address());
    Platform.putLong(
        null, block + Abi.EVAL_HEAP_END, piece == null ? 0 : piece.address() + piece.size());
  }

  /** Room for one string among those that the kernel makes. */
  private long text(long bytes, int rows) {
    long next = Platform.getLong(null, block + Abi.EVAL_HEAP);
    if (Platform.getLong(null, block + Abi.EVAL_HEAP_END) - next < bytes) {
      setHeap(heap.grow(bytes, rows));
      next = Platform.getLong(null, block + Abi.EVAL_HEAP);
    }
    Platform.putLong(null, block + Abi.EVAL_HEAP, next + bytes);
    return next;
  }

  private void describe(NativeColumns slice) {
    for (int i = 0; i < program.inputs().length; i++) {
      slice.column(program.inputs()[i]).describeTo(register(i));
    }
    for (int i = 0; i < buffers.length; i++) {
      if (buffers[i] == null) {
        slice.column(program.passThrough()[i]).describeTo(output(i));
      } else {
        NativeVector.describe(
            output(i),
            program.outputTypes()[i],
            Abi.KIND_VECTOR,
            buffers[i].values(),
            buffers[i].nulls());
      }
    }
  }

  /** Address of the first output's {@code spw_column}; the others follow. */
  long outputs() {
    return output(0);
  }

  /** Address of an output's {@code spw_column}. */
  long output(int ordinal) {
    return register(firstOutput + ordinal);
  }

  /** Points a view at an output. */
  void view(int ordinal, int rows, NativeVector target) {
    long column = output(ordinal);
    target.pointTo(
        Platform.getLong(null, column + Abi.COLUMN_VALUES),
        Platform.getLong(null, column + Abi.COLUMN_NULLS),
        rows);
  }

  /** Which of the child's columns a program reads. */
  static boolean[] needed(Program program, int columns) {
    boolean[] needed = new boolean[columns];
    for (int ordinal : program.inputs()) {
      needed[ordinal] = true;
    }
    for (int ordinal : program.passThrough()) {
      if (ordinal >= 0) {
        needed[ordinal] = true;
      }
    }
    return needed;
  }

  private long register(int number) {
    return registers + (long) number * Abi.COLUMN_SIZE;
  }

  private static long arenaBytes(Program program, int chunkRows) {
    Arena size = new Arena(0);
    size.take((long) program.registerCount() * Abi.COLUMN_SIZE);
    size.take(Abi.EVAL_SIZE);
    size.take(program.code().length);
    for (Program.Constant constant : program.constants()) {
      size.take(16);
      size.take(1);
      if (constant.value() instanceof byte[] bytes) {
        size.take(bytes.length);
      }
    }
    for (int type : program.scratchTypes()) {
      size.take((long) chunkRows * NativeTypes.width(type));
      size.take(chunkRows);
    }
    return size.used();
  }

  private static void putConstant(Arena at, long register, Program.Constant constant) {
    long value = at.take(16);
    long isNull = at.take(1);
    Platform.setMemory(value, (byte) 0, 16);
    Platform.putByte(null, isNull, (byte) (constant.value() == null ? 1 : 0));
    if (constant.value() != null) {
      putValue(at, value, constant.value());
    }
    // A constant without a null byte lets the kernels take their path without null work.
    isNull = constant.value() == null ? isNull : 0;
    NativeVector.describe(register, constant.type(), Abi.KIND_CONSTANT, value, isNull);
  }

  private static void putValue(Arena at, long target, Object value) {
    if (BoxedValue.put(target, value)) {
      return;
    }
    if (value instanceof BigInteger number) {
      GetterImporter.putInt128(target, number);
    } else if (value instanceof byte[] bytes) {
      putString(at, target, bytes);
    } else {
      throw new IllegalArgumentException("not a constant of a program: " + value.getClass());
    }
  }

  private static void putString(Arena at, long target, byte[] bytes) {
    Platform.putInt(null, target, bytes.length);
    if (bytes.length <= Abi.STR_INLINE_BYTES) {
      StringImporter.copy(bytes, target + Abi.STR_PREFIX, bytes.length);
      return;
    }
    long text = at.take(bytes.length);
    StringImporter.copy(bytes, text, bytes.length);
    Platform.copyMemory(null, text, null, target + Abi.STR_PREFIX, 4);
    Platform.putLong(null, target + Abi.STR_ADDRESS, text);
  }
}
