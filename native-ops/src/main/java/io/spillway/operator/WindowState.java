package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.WindowAbi;
import io.spillway.kernel.WindowKernels;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import io.spillway.operator.WindowSpec.Function;
import io.spillway.operator.WindowSpec.Scope;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.unsafe.Platform;

/**
 * The functions of a window as they stand between two rows: a {@code spw_window} and where its
 * values go. Its memory is the operator's. Used by the task's thread alone.
 */
final class WindowState {
  private static final int SMALLEST_TEXT_BYTES = 256;

  private final OperatorMemory memory;
  private final WindowSpec spec;
  private final long block;
  private final long functions;
  private final long marks;
  private final long[] lengths = new long[2];
  private final ColumnBuffer[] values;
  private final List<KeptText> kept = new ArrayList<>();
  private NativeBlock text;

  /**
   * @param maxRows the most rows of one slice
   */
  WindowState(OperatorMemory memory, WindowSpec spec, int maxRows) {
    this.memory = memory;
    this.spec = spec;
    int keys = spec.keys();
    int count = spec.functions().size();
    long bytes =
        WindowAbi.WINDOW_SIZE
            + (long) count * WindowAbi.FN_SIZE
            + keys * (Abi.COLUMN_SIZE + 32L)
            + 17L * maxRows
            + 128;
    Arena at = new Arena(memory.allocate(bytes).address());
    block = at.take(WindowAbi.WINDOW_SIZE);
    functions = at.take((long) count * WindowAbi.FN_SIZE);
    final long last = at.take((long) keys * Abi.COLUMN_SIZE);
    for (int k = 0; k < keys; k++) {
      int type = spec.program().outputTypes()[spec.columns() + k];
      NativeVector.describe(
          last + (long) k * Abi.COLUMN_SIZE, type, Abi.KIND_VECTOR, at.take(16), at.take(1));
    }
    marks = at.take(maxRows);
    lengths[0] = at.take(8L * maxRows);
    lengths[1] = at.take(8L * maxRows);
    text = memory.allocate(SMALLEST_TEXT_BYTES);
    Platform.setMemory(block, (byte) 0, WindowAbi.WINDOW_SIZE);
    Platform.putLong(null, block + WindowAbi.WINDOW_FUNCTIONS, functions);
    Platform.putLong(null, block + WindowAbi.WINDOW_LAST, last);
    Platform.putLong(null, block + WindowAbi.WINDOW_MARKS, marks);
    Platform.putLong(null, block + WindowAbi.WINDOW_LENGTHS, lengths[0]);
    Platform.putLong(null, block + WindowAbi.WINDOW_LENGTHS + 8, lengths[1]);
    Platform.putInt(null, block + WindowAbi.WINDOW_NPARTITION, spec.partitionKeys());
    Platform.putInt(null, block + WindowAbi.WINDOW_NKEYS, keys);
    Platform.putInt(null, block + WindowAbi.WINDOW_NFUNCTIONS, count);
    putText();
    values = new ColumnBuffer[count];
    for (int i = 0; i < count; i++) {
      values[i] = ColumnBuffer.allocate(memory, spec.functions().get(i).outType(), maxRows);
      describeFunction(i, spec.functions().get(i));
    }
  }

  private void describeFunction(int i, Function function) {
    long at = functions + (long) i * WindowAbi.FN_SIZE;
    Platform.setMemory(at, (byte) 0, WindowAbi.FN_SIZE);
    Platform.putLong(null, at + WindowAbi.FN_VALUES, values[i].values());
    Platform.putLong(null, at + WindowAbi.FN_NULLS, values[i].nulls());
    Platform.putInt(null, at + WindowAbi.FN_OP, function.op());
    Platform.putInt(null, at + WindowAbi.FN_TYPE, function.type());
    Platform.putInt(null, at + WindowAbi.FN_OUT_TYPE, function.outType());
    Platform.putInt(null, at + WindowAbi.FN_INPUT, function.input());
    Platform.putInt(null, at + WindowAbi.FN_SCOPE, function.scope().code());
    Platform.putInt(null, at + WindowAbi.FN_IGNORE_NULLS, function.ignoreNulls() ? 1 : 0);
    if (function.type() == Abi.T_STR
        && (function.op() == WindowAbi.OP_MIN || function.op() == WindowAbi.OP_MAX)) {
      kept.add(new KeptText(memory, at + WindowAbi.FN_STATE));
    }
  }

  /**
   * Goes on to the next slice: sees where groups start in it, and keeps what the slice after it is
   * compared with.
   *
   * @param outputs address of the program's first output; valid until the next slice
   */
  void start(long outputs, int rows) {
    long keys = outputs + (long) spec.columns() * Abi.COLUMN_SIZE;
    int outputCount = spec.program().outputTypes().length;
    Platform.putLong(null, block + WindowAbi.WINDOW_KEYS, keys);
    Platform.putLong(
        null, block + WindowAbi.WINDOW_INPUTS, keys + (long) spec.keys() * Abi.COLUMN_SIZE);
    Platform.putInt(
        null, block + WindowAbi.WINDOW_NINPUTS, outputCount - spec.columns() - spec.keys());
    Platform.putInt(null, block + WindowAbi.WINDOW_ROWS, rows);
    WindowKernels.mark(block);
    while (WindowKernels.keep(block) == Abi.NEEDS_BYTES) {
      long need = Platform.getLong(null, block + WindowAbi.WINDOW_NEED);
      NativeBlock larger = memory.allocate(need);
      text.close();
      text = larger;
      // What lay in the old text is the row before, which the marks have seen.
      putText();
    }
  }

  private void putText() {
    Platform.putLong(null, block + WindowAbi.WINDOW_TEXT, text.address());
    Platform.putInt(
        null, block + WindowAbi.WINDOW_TEXT_BYTES, (int) Math.min(text.size(), Integer.MAX_VALUE));
  }

  /** The last row of {@code [from, rows)} that starts a group of a scope; -1 if none does. */
  int lastStart(Scope scope, int from, int rows) {
    int mark = scope == Scope.PARTITION ? WindowAbi.MARK_PARTITION : WindowAbi.MARK_PEERS;
    for (int row = rows - 1; row >= from; row--) {
      if ((Platform.getByte(null, marks + row) & mark) == mark) {
        return row;
      }
    }
    return -1;
  }

  /**
   * Takes rows {@code [from, to)} of the slice.
   *
   * @param place number of the first of them; functions whose values are strings come to numbers
   */
  void run(int from, int to, long place) {
    Platform.putLong(null, block + WindowAbi.WINDOW_PLACE, place);
    WindowKernels.run(block, from, to);
    // The slice goes, and the strings in it.
    kept.forEach(KeptText::keep);
  }

  /** Ends the peers of the last row, and its partition if said. */
  void end(boolean partition) {
    WindowKernels.end(block, partition);
  }

  /** How many groups the last call ended. */
  int ended(Scope scope) {
    return Platform.getInt(null, block + WindowAbi.WINDOW_ENDED + 4L * scope.place());
  }

  /** Address of 64-bit row counts of the groups that the last call ended. */
  long lengths(Scope scope) {
    return lengths[scope.place()];
  }

  /** Writes the {@code spw_column} of a function's values: a row each, or a group each. */
  void describe(int function, long target) {
    NativeVector.describe(
        target,
        spec.functions().get(function).outType(),
        Abi.KIND_VECTOR,
        values[function].values(),
        values[function].nulls());
  }

  /** Points a view at a function's values. */
  void view(int function, int rows, NativeVector target) {
    target.pointTo(values[function].values(), values[function].nulls(), rows);
  }
}
