package io.spillway.operator;

import io.spillway.kernel.Abi;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.unsafe.Platform;

/**
 * Where an aggregation's keys and states lie in a row, and the native description of it ({@code
 * spw_key[]} and {@code spw_agg_fn[]}), which lives in the memory that the caller gives.
 */
final class AggregateLayout {
  private final int[] keyTypes;
  private final AggregateSpec.Function[] functions;
  private final int rowWidth;
  private final long keyLayout;
  private final long functionLayout;

  /** Bytes of native memory that the description needs. */
  static long bytes(AggregateSpec spec) {
    return (long) spec.keyTypes().length * Abi.KEY_SIZE
        + (long) spec.functions().length * Abi.FN_SIZE
        + 16;
  }

  /**
   * @param memory address of {@link #bytes} bytes, which must outlive this layout
   */
  AggregateLayout(AggregateSpec spec, long memory) {
    this.keyTypes = spec.keyTypes();
    this.functions = spec.functions();
    this.keyLayout = memory;
    this.functionLayout = memory + (long) keyTypes.length * Abi.KEY_SIZE;
    int offset = Abi.ROW_HEADER;
    for (int i = 0; i < keyTypes.length; i++) {
      long key = keyLayout + (long) i * Abi.KEY_SIZE;
      Platform.putInt(null, key + Abi.KEY_TYPE, keyTypes[i]);
      Platform.putInt(null, key + Abi.KEY_OFFSET, offset);
      offset += Abi.keyWidth(keyTypes[i]);
    }
    for (int i = 0; i < functions.length; i++) {
      AggregateSpec.Function function = functions[i];
      long target = functionLayout + (long) i * Abi.FN_SIZE;
      Platform.putInt(null, target + Abi.FN_OP, function.op());
      Platform.putInt(null, target + Abi.FN_TYPE, function.type());
      Platform.putInt(null, target + Abi.FN_STATE_OFFSET, offset);
      Platform.putInt(null, target + Abi.FN_INPUT, function.input());
      Platform.putInt(null, target + Abi.FN_INPUT2, function.input2());
      Platform.putInt(null, target + Abi.FN_PRECISION, function.precision());
      Platform.putInt(null, target + Abi.FN_OUT_PRECISION, function.outPrecision());
      Platform.putInt(null, target + Abi.FN_SCALE_UP, function.scaleUp());
      Platform.putInt(null, target + Abi.FN_OUT_TYPE, function.outType());
      Platform.putInt(null, target + Abi.FN_OUT_SCALE, function.outScale());
      Platform.putInt(null, target + Abi.FN_INPUT3, function.input3());
      Platform.putInt(null, target + Abi.FN_MERGE, function.merge() ? 1 : 0);
      offset += Abi.stateWidth(function.op(), function.type());
    }
    this.rowWidth = offset;
  }

  int keys() {
    return keyTypes.length;
  }

  int functions() {
    return functions.length;
  }

  /** Bytes of one row. */
  int rowWidth() {
    return rowWidth;
  }

  /** Address of {@code spw_key[]}. */
  long keyLayout() {
    return keyLayout;
  }

  /** Address of {@code spw_agg_fn[]}. */
  long functionLayout() {
    return functionLayout;
  }

  /** Kernel types of the output columns: keys, then one or two a function. */
  List<Integer> outputTypes() {
    List<Integer> types = new ArrayList<>();
    for (int type : keyTypes) {
      types.add(type);
    }
    for (AggregateSpec.Function function : functions) {
      types.addAll(function.outTypes());
    }
    return types;
  }
}
