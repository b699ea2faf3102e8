package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.Kernels;
import io.spillway.memory.NativeBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;

/**
 * Turns pages of groups into batches. Strings of a batch point into its pages, so those are kept
 * until the next batch is asked for. Used by the task's thread alone.
 */
final class AggregateOutput {
  private final AggregateState state;
  private final List<Integer> types;
  private final ColumnBuffer[] buffers;
  private final long block;
  private final long columns;
  private final BatchView view;
  private final int maxRows;
  private final long mostHeldBytes;
  private final boolean[] nulls;
  private final List<NativeBlock> held = new ArrayList<>();
  private NativeBlock page;
  private int pageRow;

  AggregateOutput(
      OperatorContext context, AggregateState state, List<DataType> outputTypes, boolean results) {
    this.state = state;
    this.maxRows = context.batchRows(outputTypes);
    this.mostHeldBytes = context.budget().shareBytes() / 8;
    AggregateLayout layout = state.layout();
    types = layout.outputTypes();
    view = new BatchView(outputTypes);
    nulls = new boolean[types.size()];
    NativeBlock arena =
        context
            .memory()
            .allocate(Abi.EMIT_SIZE + 8 + (long) Math.max(1, types.size()) * Abi.COLUMN_SIZE);
    block = arena.address();
    columns = block + Abi.EMIT_SIZE;
    buffers = new ColumnBuffer[types.size()];
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = ColumnBuffer.allocate(context.memory(), types.get(i), maxRows);
    }
    Platform.putLong(null, block + Abi.EMIT_KEY_LAYOUT, layout.keyLayout());
    Platform.putLong(null, block + Abi.EMIT_FUNCTIONS, layout.functionLayout());
    Platform.putLong(null, block + Abi.EMIT_OUT, columns);
    Platform.putInt(null, block + Abi.EMIT_NKEYS, layout.keys());
    Platform.putInt(null, block + Abi.EMIT_NFUNCTIONS, layout.functions());
    Platform.putInt(null, block + Abi.EMIT_ROW_WIDTH, layout.rowWidth());
    Platform.putInt(null, block + Abi.EMIT_FINAL, results ? 1 : 0);
  }

  /** The next batch of groups; null when the state is empty. */
  ColumnarBatch next() {
    held.forEach(NativeBlock::close);
    held.clear();
    Arrays.fill(nulls, false);
    int rows = 0;
    long heldBytes = 0;
    // Pages may be nearly empty: a batch ends with the memory that it keeps as well as with its
    // rows.
    while (rows < maxRows && heldBytes < mostHeldBytes) {
      if (page == null) {
        page = state.nextPage();
        pageRow = 0;
        if (page == null) {
          break;
        }
      }
      long pageBytes = page.size();
      int written = emit(rows);
      rows += written;
      heldBytes += written > 0 ? pageBytes : 0;
    }
    if (rows == 0) {
      return null;
    }
    for (int i = 0; i < buffers.length; i++) {
      view.vector(i).pointTo(buffers[i].values(), nulls[i] ? buffers[i].nulls() : 0, rows);
    }
    return view.batch(rows);
  }

  private int emit(int filled) {
    for (int i = 0; i < buffers.length; i++) {
      NativeVector.describe(
          columns + (long) i * Abi.COLUMN_SIZE,
          types.get(i),
          Abi.KIND_VECTOR,
          buffers[i].values() + (long) filled * Abi.width(types.get(i)),
          buffers[i].nulls() + filled);
    }
    Platform.putLong(null, block + Abi.EMIT_PAGE, page.address());
    Platform.putInt(null, block + Abi.EMIT_START_ROW, pageRow);
    Platform.putInt(null, block + Abi.EMIT_MAX_ROWS, maxRows - filled);
    int written = (int) Kernels.aggEmit(block);
    for (int i = 0; i < buffers.length; i++) {
      nulls[i] |=
          Platform.getInt(null, columns + (long) i * Abi.COLUMN_SIZE + Abi.COLUMN_HAS_NULLS) != 0;
    }
    pageRow = Platform.getInt(null, block + Abi.EMIT_START_ROW);
    if (pageRow == Platform.getInt(null, page.address() + Abi.PAGE_ROWS)) {
      if (written > 0) {
        held.add(page);
      } else {
        // Nothing but superseded rows: no batch points into it.
        page.close();
      }
      page = null;
    }
    return written;
  }
}
