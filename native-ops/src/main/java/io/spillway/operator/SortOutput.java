package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.RowsAbi;
import io.spillway.kernel.RowsKernels;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;

/**
 * Turns sorted rows into batches, a page of them each. Strings of a batch point into the page,
 * which is its own until the next batch is asked for. Used by the task's thread alone.
 */
final class SortOutput {
  private static final int SMALLEST_PAGE_BYTES = 4096;
  private static final int LARGEST_PAGE_BYTES = 1 << 20;

  private final SortState state;
  private final RowLayout layout;
  private final int columns;
  private final int maxRows;
  private final NativeBlock page;
  private final int pageBytes;
  private final long block;
  private final long out;
  private final ColumnBuffer[] buffers;
  private final BatchView view;
  private boolean pinned;
  private int rowsLeft;

  /**
   * After {@link SortState#startOutput}.
   *
   * @param limit how many rows come out at the most
   */
  SortOutput(OperatorContext context, SortState state, List<DataType> outputTypes, int limit) {
    this.rowsLeft = limit;
    this.state = state;
    this.layout = state.layout().rows();
    this.columns = outputTypes.size();
    this.maxRows = context.batchRows(outputTypes);
    OperatorMemory memory = context.memory();
    // Twice the rows' own width, for their strings.
    long wanted = 2L * maxRows * layout.rowWidth();
    long most = Math.min(LARGEST_PAGE_BYTES, context.budget().shareBytes() / 8);
    pageBytes = (int) Math.max(SMALLEST_PAGE_BYTES, Math.min(most, wanted)) & -8;
    page = memory.allocate(pageBytes);
    view = new BatchView(outputTypes);
    block =
        memory.allocate(RowsAbi.OUT_SIZE + (long) Math.max(1, columns) * Abi.COLUMN_SIZE).address();
    out = block + RowsAbi.OUT_SIZE;
    buffers = new ColumnBuffer[columns];
    for (int i = 0; i < columns; i++) {
      buffers[i] = ColumnBuffer.allocate(memory, layout.type(i), maxRows);
      NativeVector.describe(
          out + (long) i * Abi.COLUMN_SIZE,
          layout.type(i),
          Abi.KIND_VECTOR,
          buffers[i].values(),
          buffers[i].nulls());
    }
    Platform.setMemory(block, (byte) 0, RowsAbi.OUT_SIZE);
    Platform.putLong(null, block + RowsAbi.OUT_LAYOUT, layout.address());
    Platform.putLong(null, block + RowsAbi.OUT_OUT, out);
    Platform.putInt(null, block + RowsAbi.OUT_NCOLUMNS, layout.columns());
    Platform.putInt(null, block + RowsAbi.OUT_NOUT, columns);
    Platform.putInt(null, block + RowsAbi.OUT_ROW_WIDTH, layout.rowWidth());
  }

  /** The next batch in order; null at the end. */
  ColumnarBatch next() {
    if (pinned) {
      state.merging().skip();
      state.pin(false);
      pinned = false;
    }
    int rows = state.fill(page.address(), pageBytes, Math.min(maxRows, rowsLeft));
    if (rows == 0) {
      return null;
    }
    rowsLeft -= Math.abs(rows);
    if (rows > 0) {
      return gather(page.address(), 0, rows);
    }
    // Read where it lies, which takes no second page of its size.
    pinned = true;
    state.pin(true);
    long source = state.merging().headPage();
    long offset = state.merging().headRow() - source - Abi.PAGE_SIZE;
    return gather(source, (int) (offset / layout.rowWidth()), 1);
  }

  private ColumnarBatch gather(long source, int first, int rows) {
    Platform.putLong(null, block + RowsAbi.OUT_PAGE, source);
    Platform.putInt(null, block + RowsAbi.OUT_FIRST, first);
    Platform.putInt(null, block + RowsAbi.OUT_ROWS, rows);
    RowsKernels.gather(block);
    for (int i = 0; i < columns; i++) {
      boolean hasNulls =
          Platform.getInt(null, out + (long) i * Abi.COLUMN_SIZE + Abi.COLUMN_HAS_NULLS) != 0;
      view.vector(i).pointTo(buffers[i].values(), hasNulls ? buffers[i].nulls() : 0, rows);
    }
    return view.batch(rows);
  }
}
