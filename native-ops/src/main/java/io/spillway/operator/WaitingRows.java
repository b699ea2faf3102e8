package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.operator.WindowSpec.Scope;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;

/**
 * The rows of a window whose values are not all known yet, and the values of the groups that have
 * ended. Its memory is the operator's. Used by the task's thread alone.
 */
final class WaitingRows {
  private final WindowSpec spec;
  private final WindowState state;
  private final int maxRows;
  private final int[] streamed;
  private final int[][] grouped = new int[2][];
  private final GroupQueue[] groups = new GroupQueue[2];
  private final MovingFrames moving;
  private final RowQueue queue;
  private final long columns;
  private final BatchView view;
  private int out;

  WaitingRows(
      OperatorContext context,
      WindowSpec spec,
      WindowState state,
      List<DataType> outputTypes,
      int maxRows) {
    this.spec = spec;
    this.state = state;
    this.maxRows = maxRows;
    streamed = functions(spec, Scope.ROW);
    int width = spec.columns() + streamed.length;
    int[] types = new int[width];
    System.arraycopy(spec.program().outputTypes(), 0, types, 0, spec.columns());
    for (int i = 0; i < streamed.length; i++) {
      types[spec.columns() + i] = spec.functions().get(streamed[i]).outType();
    }
    queue = new RowQueue(context, types, maxRows);
    columns = context.memory().allocate(Math.max(1L, width) * Abi.COLUMN_SIZE).address();
    for (Scope scope : List.of(Scope.PEERS, Scope.PARTITION)) {
      int[] functions = functions(spec, scope);
      grouped[scope.place()] = functions;
      // Moving frames end with the partition, so they need its length if nothing else of it.
      if (functions.length > 0 || (scope == Scope.PARTITION && spec.has(scope))) {
        groups[scope.place()] = new GroupQueue(context, spec, scope, functions, maxRows);
      }
    }
    moving = spec.moving().isEmpty() ? null : new MovingFrames(context, spec, state, maxRows);
    view = new BatchView(outputTypes);
  }

  private static int[] functions(WindowSpec spec, Scope scope) {
    return IntStream.range(0, spec.functions().size())
        .filter(i -> spec.functions().get(i).scope() == scope)
        .toArray();
  }

  /** The number of the next row to go in, for functions that come to such. */
  long nextPlace() {
    return moving == null ? 0 : moving.nextPlace();
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  /**
   * Puts rows {@code [from, to)} in that the state has just run over, and the groups that they
   * ended.
   *
   * @param outputs address of the program's first output
   */
  void add(long outputs, int from, int to) {
    Platform.copyMemory(null, outputs, null, columns, (long) spec.columns() * Abi.COLUMN_SIZE);
    for (int i = 0; i < streamed.length; i++) {
      state.describe(streamed[i], columns + (long) (spec.columns() + i) * Abi.COLUMN_SIZE);
    }
    queue.add(columns, from, to);
    if (moving != null) {
      moving.add(outputs, from, to);
    }
    addGroups();
  }

  /** Puts in the groups that the state's last call ended. */
  void addGroups() {
    for (GroupQueue group : groups) {
      if (group != null) {
        group.add(state);
      }
    }
  }

  /** From now on rows come out; the groups of all of them have ended. */
  void startReading() {
    queue.startReading();
    for (GroupQueue group : groups) {
      if (group != null) {
        group.startReading();
      }
    }
    if (moving != null) {
      moving.startReading();
    }
  }

  /** The next rows with all their values, valid until the next call; null when none is left. */
  ColumnarBatch next() {
    queue.skip(out);
    out = 0;
    int rows = Math.min(maxRows, queue.look());
    if (rows == 0) {
      for (GroupQueue group : groups) {
        if (group != null) {
          group.finish();
        }
      }
      if (moving != null) {
        moving.finish();
      }
      return null;
    }
    for (GroupQueue group : groups) {
      rows = group == null ? rows : group.look(rows);
    }
    for (GroupQueue group : groups) {
      if (group != null) {
        group.copy(rows);
      }
    }
    if (moving != null) {
      long partitions = groups[Scope.PARTITION.place()].spread();
      rows = moving.look(partitions, rows, this::figure);
    }
    for (int i = 0; i < spec.columns(); i++) {
      queue.columns().view(i, rows, view.vector(i));
    }
    for (int i = 0; i < streamed.length; i++) {
      queue.columns().view(spec.columns() + i, rows, view.vector(spec.columns() + streamed[i]));
    }
    for (int g = 0; g < groups.length; g++) {
      if (groups[g] != null) {
        groups[g].skip(rows);
        for (int i = 0; i < grouped[g].length; i++) {
          groups[g].view(i, rows, view.vector(spec.columns() + grouped[g][i]));
        }
      }
    }
    if (moving != null) {
      int first = spec.columns() + spec.functions().size();
      int count = spec.moving().functions().size() + spec.moving().places().size();
      for (int i = 0; i < count; i++) {
        moving.view(i, rows, view.vector(first + i));
      }
      moving.skip(rows);
    }
    out = rows;
    return view.batch(rows);
  }

  /** Address of a function's values for the rows looked at. */
  private long figure(int function) {
    for (int i = 0; i < streamed.length; i++) {
      if (streamed[i] == function) {
        return queue.columns().values(spec.columns() + i);
      }
    }
    for (int g = 0; g < groups.length; g++) {
      for (int i = 0; i < grouped[g].length; i++) {
        if (grouped[g][i] == function) {
          return groups[g].values(i);
        }
      }
    }
    throw new IllegalArgumentException("no function " + function + " of a window");
  }

  /** Writes what is in memory, rows first; the bytes freed. */
  long spill(long bytes) {
    long freed = queue.spill(bytes);
    for (GroupQueue group : groups) {
      if (group != null && freed < bytes) {
        freed += group.spill(bytes - freed);
      }
    }
    return moving == null || freed >= bytes ? freed : freed + moving.spill();
  }
}
