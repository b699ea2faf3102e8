package io.spillway.operator;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** The probe rows of a join's child. Used by the task's thread alone. */
final class ProbeInput implements ProbeRows {
  private final SliceReader slice;

  ProbeInput(
      Iterator<ColumnarBatch> child, OperatorContext context, List<DataType> types, int maxRows) {
    boolean[] needed = new boolean[types.size()];
    Arrays.fill(needed, true);
    slice = new SliceReader(child, context, types, needed, maxRows);
  }

  @Override
  public boolean next() {
    return slice.advance();
  }

  @Override
  public NativeColumns columns() {
    return slice;
  }

  @Override
  public long states() {
    return 0;
  }
}
