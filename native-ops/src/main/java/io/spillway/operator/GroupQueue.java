package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.Kernels;
import io.spillway.kernel.WindowAbi;
import io.spillway.kernel.WindowKernels;
import io.spillway.operator.WindowSpec.Scope;
import org.apache.spark.unsafe.Platform;

/**
 * What the functions of one scope come to for groups of consecutive rows, repeated for each row of
 * a group when they come out. Its memory is the operator's. Used by the task's thread alone.
 */
final class GroupQueue {
  private final Scope scope;
  private final int[] functions;
  private final RowQueue queue;
  private final long columns;
  private final long spread;
  private final long selection;
  private final long targets;
  private final ColumnBuffer[] values;
  private final int[] types;

  /**
   * @param functions which of the window's functions are of this scope
   * @param maxRows the most rows, and groups, of one call
   */
  GroupQueue(OperatorContext context, WindowSpec spec, Scope scope, int[] functions, int maxRows) {
    this.scope = scope;
    this.functions = functions;
    int count = functions.length;
    types = new int[count];
    int[] rowTypes = new int[1 + count];
    rowTypes[0] = Abi.T_I64;
    values = new ColumnBuffer[count];
    for (int i = 0; i < count; i++) {
      types[i] = spec.functions().get(functions[i]).outType();
      rowTypes[1 + i] = types[i];
      values[i] = ColumnBuffer.allocate(context.memory(), types[i], maxRows);
    }
    queue = new RowQueue(context, rowTypes, maxRows);
    long descriptors = (1L + count) * Abi.COLUMN_SIZE;
    Arena at =
        new Arena(
            context
                .memory()
                .allocate(2 * descriptors + WindowAbi.SPREAD_SIZE + 4L * maxRows + 64)
                .address());
    columns = at.take(descriptors);
    targets = at.take(descriptors);
    spread = at.take(WindowAbi.SPREAD_SIZE);
    selection = at.take(4L * maxRows);
    Platform.setMemory(spread, (byte) 0, WindowAbi.SPREAD_SIZE);
    Platform.putLong(null, spread + WindowAbi.SPREAD_SELECTION, selection);
  }

  /** Puts the groups in that the state's last call ended. */
  void add(WindowState state) {
    NativeVector.describe(columns, Abi.T_I64, Abi.KIND_VECTOR, state.lengths(scope), 0);
    for (int i = 0; i < functions.length; i++) {
      state.describe(functions[i], columns + (1L + i) * Abi.COLUMN_SIZE);
    }
    queue.add(columns, 0, state.ended(scope));
  }

  void startReading() {
    queue.startReading();
  }

  /**
   * Finds the groups of the next rows.
   *
   * @return for how many of them they are at hand, at least one
   */
  int look(int rows) {
    if (Platform.getInt(null, spread + WindowAbi.SPREAD_GROUP)
        == Platform.getInt(null, spread + WindowAbi.SPREAD_GROUPS)) {
      queue.skip();
      int groups = queue.look();
      if (groups == 0) {
        throw new IllegalStateException("rows of a window have no " + scope);
      }
      Platform.putLong(null, spread + WindowAbi.SPREAD_LENGTHS, queue.columns().values(0));
      Platform.putLong(null, spread + WindowAbi.SPREAD_USED, 0);
      Platform.putInt(null, spread + WindowAbi.SPREAD_GROUPS, groups);
      Platform.putInt(null, spread + WindowAbi.SPREAD_GROUP, 0);
    }
    return (int) WindowKernels.spreadOver(spread, rows);
  }

  /** Address of the {@code spw_window_spread} of the rows looked at. */
  long spread() {
    return spread;
  }

  /** Copies the values of as many rows as said, at most those looked at. */
  void copy(int rows) {
    for (int i = 0; i < functions.length; i++) {
      NativeVector.describe(
          targets + (long) i * Abi.COLUMN_SIZE,
          types[i],
          Abi.KIND_VECTOR,
          values[i].values(),
          values[i].nulls());
    }
    if (functions.length > 0) {
      long sources = queue.columns().columns() + Abi.COLUMN_SIZE;
      Kernels.take(sources, targets, functions.length, selection, rows);
    }
  }

  /** Takes out as many rows as said, at most those looked at; what was copied stays. */
  void skip(int rows) {
    WindowKernels.spreadSkip(spread, rows);
  }

  /** Address of the values copied of one of this queue's functions. */
  long values(int place) {
    return values[place].values();
  }

  /** Points a view at the values copied of one of this queue's functions. */
  void view(int place, int rows, NativeVector target) {
    long column = targets + (long) place * Abi.COLUMN_SIZE;
    boolean nulls = Platform.getInt(null, column + Abi.COLUMN_HAS_NULLS) != 0;
    target.pointTo(values[place].values(), nulls ? values[place].nulls() : 0, rows);
  }

  /** Lets rows go in again, after all have come out. */
  void finish() {
    queue.skip();
    if (queue.look() != 0) {
      throw new IllegalStateException("a window has more " + scope + " than rows");
    }
    Platform.putInt(null, spread + WindowAbi.SPREAD_GROUPS, 0);
    Platform.putInt(null, spread + WindowAbi.SPREAD_GROUP, 0);
  }

  long spill(long bytes) {
    return queue.spill(bytes);
  }
}
