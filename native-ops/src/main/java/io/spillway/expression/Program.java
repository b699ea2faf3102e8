package io.spillway.expression;

import io.spillway.kernel.Abi;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;

/**
 * A compiled list of expressions: what {@code spw_eval} needs beside the data. Immutable; made on
 * the driver, serialised to executors, shared by the threads of all tasks. Callers must not change
 * the arrays that they get.
 *
 * <p>Registers, in this order: the inputs, the constants, the scratch registers, the outputs.
 */
public final class Program implements Serializable {
  private static final long serialVersionUID = 1L;

  /**
   * A register with one value for all rows.
   *
   * @param type kernel type
   * @param value null, or a {@code Boolean}, {@code Byte}, {@code Short}, {@code Integer}, {@code
   *     Long}, {@code Float}, {@code Double}, {@code BigInteger} (unscaled, I128) or {@code byte[]}
   *     (STR), as the type says
   */
  public record Constant(int type, Object value) implements Serializable {
    @Override
    public boolean equals(Object other) {
      return other instanceof Constant that
          && type == that.type
          && Objects.deepEquals(value, that.value);
    }

    @Override
    public int hashCode() {
      return 31 * type
          + (value instanceof byte[] bytes ? Arrays.hashCode(bytes) : Objects.hashCode(value));
    }
  }

  /**
   * What computes the rows that an instruction leaves to its caller: Spark's own expression, so
   * that they are Spark's to the last bit.
   *
   * @param function over {@code BoundReference}s to the instruction's operands. It may keep state
   *     that is not thread-safe: whoever evaluates works with a {@code clone()} of its own.
   * @param arguments the operands' types
   */
  public record Host(Expression function, List<DataType> arguments) implements Serializable {}

  private final int[] inputs;
  private final Constant[] constants;
  private final int[] scratchTypes;
  private final int[] outputTypes;
  private final int[] passThrough;
  private final byte[] code;
  private final Host[] hosts;

  Program(
      int[] inputs,
      Constant[] constants,
      int[] scratchTypes,
      int[] outputTypes,
      int[] passThrough,
      byte[] code,
      Host[] hosts) {
    this.inputs = inputs;
    this.constants = constants;
    this.scratchTypes = scratchTypes;
    this.outputTypes = outputTypes;
    this.passThrough = passThrough;
    this.code = code;
    this.hosts = hosts;
  }

  /** The program with values for those of its constants that were not known when it was made. */
  Program withValues(Function<LateValue, Object> values) {
    Constant[] known = constants.clone();
    for (int i = 0; i < known.length; i++) {
      if (known[i].value() instanceof LateValue late) {
        known[i] = new Constant(known[i].type(), values.apply(late));
      }
    }
    return new Program(inputs, known, scratchTypes, outputTypes, passThrough, code, hosts);
  }

  /** Ordinals of the child's output columns; register {@code i} is column {@code inputs()[i]}. */
  public int[] inputs() {
    return inputs;
  }

  /** Registers from {@code inputs().length} on. */
  public Constant[] constants() {
    return constants;
  }

  /** Kernel types of the scratch registers, which follow the constants. */
  public int[] scratchTypes() {
    return scratchTypes;
  }

  /**
   * Kernel types of the last registers, one an expression in the order given: vectors that the
   * program writes, nulls included (except where {@link #passThrough()} says that nothing is
   * written).
   */
  public int[] outputTypes() {
    return outputTypes;
  }

  /**
   * For each output the ordinal of the child's column that it equals, or -1. A passed-through
   * output is not written by the code and needs no buffer; its column need not be among {@link
   * #inputs()}.
   */
  public int[] passThrough() {
    return passThrough;
  }

  /** The instructions: {@code spw_instr[]}, little-endian. Empty if all outputs pass through. */
  public byte[] code() {
    return code;
  }

  /** What the {@code imm} of instructions that may leave rows to their caller counts from 0. */
  public Host[] hosts() {
    return hosts;
  }

  /** How many registers there are: inputs, constants, scratch and outputs. */
  public int registerCount() {
    return inputs.length + constants.length + scratchTypes.length + outputTypes.length;
  }

  /** Two programs are equal if they do the same over the same columns. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Program that
        && Arrays.equals(inputs, that.inputs)
        && Arrays.equals(scratchTypes, that.scratchTypes)
        && Arrays.equals(outputTypes, that.outputTypes)
        && Arrays.equals(passThrough, that.passThrough)
        && Arrays.equals(code, that.code)
        && Arrays.equals(hosts, that.hosts)
        && Arrays.equals(constants, that.constants);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(code) * 31 + Arrays.hashCode(passThrough);
  }

  @Override
  public String toString() {
    return "Program[inputs="
        + Arrays.toString(inputs)
        + ", constants="
        + constants.length
        + ", scratch="
        + scratchTypes.length
        + ", outputs="
        + outputTypes.length
        + ", instructions="
        + code.length / Abi.INSTR_SIZE
        + "]";
  }
}
