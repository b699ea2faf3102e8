package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.memory.OperatorMemory;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;

/** The build rows of a join's child. Used by the task's thread alone. */
final class BuildInput implements BuildRows {
  private final JoinSpec spec;
  private final SliceReader slice;
  private final Evaluator keys;
  private final long columns;
  private final long noLink;

  BuildInput(
      Iterator<ColumnarBatch> child,
      OperatorContext context,
      JoinSpec spec,
      List<DataType> types,
      int maxRows) {
    this.spec = spec;
    OperatorMemory memory = context.memory();
    boolean[] needed = Evaluator.needed(spec.buildKeys(), types.size());
    for (int ordinal : spec.payload()) {
      needed[ordinal] = true;
    }
    slice = new SliceReader(child, context, types, needed, maxRows);
    keys = new Evaluator(context, spec.buildKeys(), maxRows);
    int stored = spec.rowTypes().length;
    Arena at = new Arena(memory.allocate((long) stored * Abi.COLUMN_SIZE + 32).address());
    columns = at.take((long) stored * Abi.COLUMN_SIZE);
    noLink = at.take(8);
    Platform.putLong(null, noLink, 0);
  }

  @Override
  public boolean next() {
    if (!slice.advance()) {
      return false;
    }
    keys.evaluate(slice);
    int count = spec.keys();
    Platform.copyMemory(null, keys.outputs(), null, columns, (long) count * Abi.COLUMN_SIZE);
    NativeVector.describe(column(spec.linkColumn()), Abi.T_I64, Abi.KIND_CONSTANT, noLink, 0);
    for (int i = 0; i < spec.payload().length; i++) {
      slice.column(spec.payload()[i]).describeTo(column(count + 1 + i));
    }
    return true;
  }

  @Override
  public int rows() {
    return slice.rows();
  }

  @Override
  public long columns() {
    return columns;
  }

  private long column(int number) {
    return columns + (long) number * Abi.COLUMN_SIZE;
  }
}
