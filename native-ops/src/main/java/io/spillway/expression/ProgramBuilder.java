package io.spillway.expression;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.spillway.expression.Program.Constant;
import io.spillway.expression.Program.Host;
import io.spillway.kernel.Abi;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;

/**
 * Collects the operations of a program as numbered values and lays them out in registers. The same
 * operation over the same values is one value, whatever expression it came from; nothing is
 * reordered, so floating-point results stay Spark's to the last bit. Not thread-safe; used once.
 */
final class ProgramBuilder {
  /** What a value is: two equal ones are computed once. Operands are numbers of earlier values. */
  private record Value(
      Kind kind,
      int op,
      int operandType,
      int type,
      int a,
      int b,
      int c,
      int imm,
      Object constant) {}

  private enum Kind {
    COLUMN,
    CONSTANT,
    OPERATION
  }

  private static final int NONE = -1;

  private final List<Value> values = new ArrayList<>();
  private final Map<Value, Integer> numbers = new HashMap<>();
  private final List<Host> hosts = new ArrayList<>();

  /** The value of a column of the child. */
  int column(int ordinal, int type) {
    return number(new Value(Kind.COLUMN, 0, 0, type, NONE, NONE, NONE, ordinal, null));
  }

  /** A constant; {@code value} as {@link Constant} says. */
  int constant(int type, Object value) {
    // Arrays have no equals, so bytes are kept as a Latin-1 string, one character a byte. Boxed
    // doubles do have one, and theirs tells -0.0 from 0.0, as it must here.
    Object key = value instanceof byte[] bytes ? new String(bytes, ISO_8859_1) : value;
    return number(new Value(Kind.CONSTANT, 0, 0, type, NONE, NONE, NONE, 0, key));
  }

  int unary(int op, int type, int a, int imm) {
    return operation(op, typeOf(a), type, a, NONE, NONE, imm);
  }

  int binary(int op, int type, int a, int b, int imm) {
    return operation(op, typeOf(a), type, a, b, NONE, imm);
  }

  int ternary(int op, int type, int a, int b, int c, int imm) {
    return operation(op, typeOf(a), type, a, b, c, imm);
  }

  /** The number of a host function, for the {@code imm} of an instruction that may need it. */
  int host(Expression function, List<DataType> arguments) {
    Host host = new Host(function, List.copyOf(arguments));
    int known = hosts.indexOf(host);
    if (known >= 0) {
      return known;
    }
    hosts.add(host);
    return hosts.size() - 1;
  }

  /** {@code condition} is true ? {@code then} : {@code otherwise}; both of one type. */
  int select(int condition, int then, int otherwise) {
    int type = typeOf(then);
    return operation(Abi.OP_SELECT, type, type, condition, then, otherwise, 0);
  }

  /** The kernel type of a value. */
  int typeOf(int value) {
    return values.get(value).type();
  }

  private int operation(int op, int operandType, int type, int a, int b, int c, int imm) {
    return number(new Value(Kind.OPERATION, op, operandType, type, a, b, c, imm, null));
  }

  private int number(Value value) {
    Integer known = numbers.putIfAbsent(value, values.size());
    if (known != null) {
      return known;
    }
    values.add(value);
    return values.size() - 1;
  }

  /**
   * Lays out the program.
   *
   * @param outputs the value of each output
   * @throws UnsupportedException if the program passes the kernels' limits
   */
  Program build(int[] outputs) throws UnsupportedException {
    return new Layout(outputs).program();
  }

  /** Register allocation and encoding. An operation never writes a register that it also reads. */
  private final class Layout {
    private final int[] outputs;
    private final int[] register = new int[values.size()];
    private final int[] lastUse = new int[values.size()];
    private final boolean[] needed = new boolean[values.size()];
    private final List<Integer> inputs = new ArrayList<>();
    private final List<Constant> constants = new ArrayList<>();
    private final List<Integer> scratchTypes = new ArrayList<>();
    private final int[] outputOf = new int[values.size()];

    Layout(int[] outputs) {
      this.outputs = outputs;
      Arrays.fill(register, NONE);
      Arrays.fill(outputOf, NONE);
    }

    Program program() throws UnsupportedException {
      int[] passThrough = new int[outputs.length];
      int[] outputTypes = new int[outputs.length];
      for (int i = 0; i < outputs.length; i++) {
        Value value = values.get(outputs[i]);
        outputTypes[i] = value.type();
        passThrough[i] = value.kind() == Kind.COLUMN ? value.imm() : NONE;
        if (passThrough[i] == NONE) {
          need(outputs[i]);
          if (value.kind() == Kind.OPERATION && outputOf[outputs[i]] == NONE) {
            outputOf[outputs[i]] = i;
          }
        }
      }
      placeOperands();
      placeScratch();
      int firstOutput = inputs.size() + constants.size() + scratchTypes.size();
      for (int v = 0; v < outputOf.length; v++) {
        if (outputOf[v] != NONE) {
          register[v] = firstOutput + outputOf[v];
        }
      }
      byte[] code = encode(passThrough, firstOutput);
      int registers = firstOutput + outputs.length;
      int instructions = code.length / Abi.INSTR_SIZE;
      if (registers > Abi.EVAL_MAX_REGISTERS || instructions > Abi.EVAL_MAX_INSTRUCTIONS) {
        throw new UnsupportedException(
            "expressions of "
                + instructions
                + " instructions and "
                + registers
                + " registers are too large (at most "
                + Abi.EVAL_MAX_INSTRUCTIONS
                + " and "
                + Abi.EVAL_MAX_REGISTERS
                + ")");
      }
      return new Program(
          toArray(inputs),
          constants.toArray(new Constant[0]),
          toArray(scratchTypes),
          outputTypes,
          passThrough,
          code,
          hosts.toArray(new Host[0]));
    }

    /** Marks a value and all that it is computed from; an explicit stack, as chains may be long. */
    private void need(int root) {
      Deque<Integer> open = new ArrayDeque<>();
      open.push(root);
      while (!open.isEmpty()) {
        int v = open.pop();
        if (needed[v]) {
          continue;
        }
        needed[v] = true;
        for (int operand : operands(v)) {
          open.push(operand);
        }
      }
    }

    private void placeOperands() {
      for (int v = 0; v < needed.length; v++) {
        if (needed[v] && values.get(v).kind() == Kind.COLUMN) {
          register[v] = inputs.size();
          inputs.add(values.get(v).imm());
        }
      }
      for (int v = 0; v < needed.length; v++) {
        Value value = values.get(v);
        if (needed[v] && value.kind() == Kind.CONSTANT) {
          register[v] = inputs.size() + constants.size();
          Object constant = value.constant();
          constants.add(
              new Constant(
                  value.type(),
                  constant instanceof String bytes ? bytes.getBytes(ISO_8859_1) : constant));
        }
      }
    }

    private void placeScratch() {
      for (int v = 0; v < needed.length; v++) {
        if (needed[v]) {
          for (int operand : operands(v)) {
            lastUse[operand] = v;
          }
        }
      }
      int first = inputs.size() + constants.size();
      Map<Integer, Deque<Integer>> free = new HashMap<>();
      for (int v = 0; v < needed.length; v++) {
        Value value = values.get(v);
        if (!needed[v] || value.kind() != Kind.OPERATION) {
          continue;
        }
        if (outputOf[v] == NONE) {
          Deque<Integer> reusable = free.get(value.type());
          if (reusable != null && !reusable.isEmpty()) {
            register[v] = reusable.pop();
          } else {
            register[v] = first + scratchTypes.size();
            scratchTypes.add(value.type());
          }
        }
        release(v, free);
      }
    }

    private void release(int v, Map<Integer, Deque<Integer>> free) {
      int[] operands = operands(v);
      for (int i = 0; i < operands.length; i++) {
        int operand = operands[i];
        boolean seenBefore = false;
        for (int j = 0; j < i; j++) {
          seenBefore |= operands[j] == operand;
        }
        if (!seenBefore
            && lastUse[operand] == v
            && values.get(operand).kind() == Kind.OPERATION
            && outputOf[operand] == NONE) {
          free.computeIfAbsent(values.get(operand).type(), t -> new ArrayDeque<>())
              .push(register[operand]);
        }
      }
    }

    private byte[] encode(int[] passThrough, int firstOutput) {
      List<int[]> instructions = new ArrayList<>();
      for (int v = 0; v < needed.length; v++) {
        Value value = values.get(v);
        if (needed[v] && value.kind() == Kind.OPERATION) {
          instructions.add(
              new int[] {
                value.op(),
                value.operandType(),
                register[v],
                registerOf(value.a()),
                registerOf(value.b()),
                registerOf(value.c()),
                value.imm()
              });
        }
      }
      // Constants that are outputs, and values that are several outputs, are copied.
      for (int i = 0; i < outputs.length; i++) {
        int v = outputs[i];
        if (passThrough[i] == NONE && outputOf[v] != i) {
          instructions.add(
              new int[] {Abi.OP_MOV, values.get(v).type(), firstOutput + i, register[v], 0, 0, 0});
        }
      }
      ByteBuffer code =
          ByteBuffer.allocate(instructions.size() * Abi.INSTR_SIZE).order(ByteOrder.LITTLE_ENDIAN);
      for (int[] instruction : instructions) {
        for (int field = 0; field < 6; field++) {
          code.putShort((short) instruction[field]);
        }
        code.putInt(instruction[6]);
      }
      return code.array();
    }

    /** An operand that an operation does not have is encoded as register 0, which is not read. */
    private int registerOf(int value) {
      return value == NONE ? 0 : register[value];
    }

    private int[] operands(int v) {
      Value value = values.get(v);
      return Arrays.stream(new int[] {value.a(), value.b(), value.c()})
          .filter(operand -> operand != NONE)
          .toArray();
    }

    private int[] toArray(List<Integer> list) {
      return list.stream().mapToInt(Integer::intValue).toArray();
    }
  }
}
