package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.RowsKernels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * A partition's rows in an order that follows from what they are and from nothing else: neither
 * from the order in which they come, nor from how much memory there is. By a 64-bit hash of all
 * columns; where hashes are equal, by the columns themselves. Values are told apart by their bits,
 * so rows that may stand in either order are the same to the last bit.
 *
 * <p>Spills when memory is short. A batch is valid until {@link #hasNext()} or {@link #next()} is
 * called again. Used by one thread at a time.
 */
final class ContentOrderIterator implements Iterator<ColumnarBatch> {
  private final OperatorContext context;
  private final List<DataType> types;
  private final SliceReader slice;
  private final int[] bitTypes;
  private final long columns;
  private final long hashes;
  private final SortState state;
  private SortOutput output;
  private ColumnarBatch batch;
  private boolean ended;

  /**
   * @param name of the operator, in what is said of its memory
   * @param types of the columns; at least one, and one fewer at the most than a row may have
   */
  ContentOrderIterator(
      String name, Iterator<ColumnarBatch> child, List<DataType> types, OperatorMetrics metrics) {
    this.types = types;
    context = OperatorContext.open(name, this::spill, metrics);
    int maxRows = context.batchRows(types);
    boolean[] needed = new boolean[types.size()];
    Arrays.fill(needed, true);
    slice = new SliceReader(child, context, types, needed, maxRows);
    bitTypes = bitTypes(types);
    columns = context.memory().allocate((long) bitTypes.length * Abi.COLUMN_SIZE).address();
    hashes = context.memory().allocate(8L * maxRows).address();
    state = new SortState(context, bitTypes, keys(types.size()), SortSpec.NO_LIMIT);
  }

  private long spill(long bytes) {
    // The operator's memory is opened before its state: until then there is nothing to spill.
    return state == null ? 0 : state.spill(bytes);
  }

  /** The columns' types and the hash's. Floats are kept and compared as integers of their bits. */
  private static int[] bitTypes(List<DataType> types) {
    int[] bitTypes = new int[types.size() + 1];
    for (int i = 0; i < types.size(); i++) {
      int type = new NativeVector(types.get(i)).nativeType();
      bitTypes[i] = type == Abi.T_F64 ? Abi.T_I64 : type == Abi.T_F32 ? Abi.T_I32 : type;
    }
    bitTypes[types.size()] = Abi.T_I64;
    return bitTypes;
  }

  private static List<SortSpec.Key> keys(int columns) {
    List<SortSpec.Key> keys = new ArrayList<>();
    keys.add(new SortSpec.Key(columns, false, false, false));
    for (int i = 0; i < columns; i++) {
      keys.add(new SortSpec.Key(i, false, false, true));
    }
    return keys;
  }

  @Override
  public boolean hasNext() {
    if (batch == null && !ended) {
      batch = compute();
      if (batch == null) {
        ended = true;
        context.end();
      }
    }
    return batch != null;
  }

  @Override
  public ColumnarBatch next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    ColumnarBatch result = batch;
    batch = null;
    return result;
  }

  private ColumnarBatch compute() {
    if (output == null) {
      while (slice.advance()) {
        add();
      }
      state.startOutput();
      output = new SortOutput(context, state, types, SortSpec.NO_LIMIT);
    }
    context.memory().batchBoundary();
    return output.next();
  }

  private void add() {
    int rows = slice.rows();
    int count = types.size();
    for (int i = 0; i < count; i++) {
      NativeVector column = slice.column(i);
      NativeVector.describe(
          columns + (long) i * Abi.COLUMN_SIZE,
          bitTypes[i],
          Abi.KIND_VECTOR,
          column.values(),
          column.nulls());
    }
    RowsKernels.hash(columns, count, rows, hashes, 0);
    NativeVector.describe(
        columns + (long) count * Abi.COLUMN_SIZE, Abi.T_I64, Abi.KIND_VECTOR, hashes, 0);
    state.add(columns, 0, rows);
  }
}
