package io.spillway.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.unsafe.Platform;

/**
 * One aggregation by a string and an int key: count(*), sum(long), average(double), sum and average
 * of a decimal, minimum of a string. It gives the kernels pages and indexes as they ask for them.
 */
final class AggregationHarness implements AutoCloseable {
  static final int[] KEY_TYPES = {Abi.T_STR, Abi.T_I32};
  static final int[] INPUT_TYPES = {Abi.T_I64, Abi.T_F64, Abi.T_I128, Abi.T_STR};
  static final int[] RESULT_TYPES = {
    Abi.T_STR, Abi.T_I32, Abi.T_I64, Abi.T_I64, Abi.T_F64, Abi.T_I128, Abi.T_I128, Abi.T_STR
  };

  /** Operation, value type, input, precision, result precision, scale up, output type. */
  private static final int[][] FUNCTIONS = {
    {Abi.AGG_COUNT, Abi.T_I64, -1, 0, 0, 0, Abi.T_I64},
    {Abi.AGG_SUM_I64, Abi.T_I64, 0, 0, 0, 0, Abi.T_I64},
    {Abi.AGG_AVG_F64, Abi.T_F64, 1, 0, 0, 0, Abi.T_F64},
    {Abi.AGG_SUM_DEC, Abi.T_I128, 2, 38, 0, 0, Abi.T_I128},
    {Abi.AGG_AVG_DEC, Abi.T_I128, 2, 38, 38, 4, Abi.T_I128},
    {Abi.AGG_MIN, Abi.T_STR, 3, 0, 0, 0, Abi.T_STR},
  };

  final OffHeap memory = new OffHeap();
  final long block;
  final long keys;
  final long inputs;
  private final int partitions;
  private final int pageBytes;
  private final List<List<Long>> pages = new ArrayList<>();
  int pagesGiven;
  int indexesGiven;

  AggregationHarness(int partitionBits, int hashShift, int pageBytes, int rows) {
    this.partitions = 1 << partitionBits;
    this.pageBytes = pageBytes;
    keys = columns(KEY_TYPES, rows);
    inputs = columns(INPUT_TYPES, rows);
    long keyLayout = memory.allocate((long) KEY_TYPES.length * Abi.KEY_SIZE);
    int offset = Abi.ROW_HEADER;
    for (int k = 0; k < KEY_TYPES.length; k++) {
      Platform.putInt(null, keyLayout + (long) k * Abi.KEY_SIZE + Abi.KEY_TYPE, KEY_TYPES[k]);
      Platform.putInt(null, keyLayout + (long) k * Abi.KEY_SIZE + Abi.KEY_OFFSET, offset);
      offset += Abi.keyWidth(KEY_TYPES[k]);
    }
    long functions = memory.allocate((long) FUNCTIONS.length * Abi.FN_SIZE);
    for (int f = 0; f < FUNCTIONS.length; f++) {
      offset = writeFunction(functions + (long) f * Abi.FN_SIZE, FUNCTIONS[f], offset);
    }
    block = memory.allocate(Abi.AGG_SIZE);
    Platform.putLong(null, block + Abi.AGG_KEYS, keys);
    Platform.putLong(null, block + Abi.AGG_INPUTS, inputs);
    Platform.putLong(null, block + Abi.AGG_KEY_LAYOUT, keyLayout);
    Platform.putLong(null, block + Abi.AGG_FUNCTIONS, functions);
    Platform.putLong(
        null, block + Abi.AGG_PARTITIONS, memory.allocate((long) partitions * Abi.PARTITION_SIZE));
    Platform.putLong(null, block + Abi.AGG_SCRATCH, memory.allocate(Abi.AGG_SCRATCH_BYTES));
    Platform.putInt(null, block + Abi.AGG_NKEYS, KEY_TYPES.length);
    Platform.putInt(null, block + Abi.AGG_NINPUTS, INPUT_TYPES.length);
    Platform.putInt(null, block + Abi.AGG_NFUNCTIONS, FUNCTIONS.length);
    Platform.putInt(null, block + Abi.AGG_ROW_WIDTH, offset);
    Platform.putInt(null, block + Abi.AGG_PARTITION_BITS, partitionBits);
    Platform.putInt(null, block + Abi.AGG_HASH_SHIFT, hashShift);
    Platform.putInt(null, block + Abi.AGG_ROWS, rows);
    for (int p = 0; p < partitions; p++) {
      pages.add(new ArrayList<>());
    }
  }

  private static int writeFunction(long at, int[] function, int offset) {
    Platform.putInt(null, at + Abi.FN_OP, function[0]);
    Platform.putInt(null, at + Abi.FN_TYPE, function[1]);
    Platform.putInt(null, at + Abi.FN_STATE_OFFSET, offset);
    Platform.putInt(null, at + Abi.FN_INPUT, function[2]);
    Platform.putInt(null, at + Abi.FN_INPUT2, -1);
    Platform.putInt(null, at + Abi.FN_PRECISION, function[3]);
    Platform.putInt(null, at + Abi.FN_OUT_PRECISION, function[4]);
    Platform.putInt(null, at + Abi.FN_SCALE_UP, function[5]);
    Platform.putInt(null, at + Abi.FN_OUT_TYPE, function[6]);
    return offset + Abi.stateWidth(function[0], function[1]);
  }

  private long columns(int[] types, int rows) {
    long columns = memory.allocate((long) types.length * Abi.COLUMN_SIZE);
    for (int c = 0; c < types.length; c++) {
      memory.initColumn(OffHeap.column(columns, c), types[c], Abi.KIND_VECTOR, rows);
    }
    return columns;
  }

  /** Adds all rows; every repetition starts where the kernel says it stopped. */
  void addAll(int rows) {
    long done = 0;
    while (done < rows) {
      long result = Kernels.aggAdd(block, done);
      if (result >= 0) {
        assertThat(result).isEqualTo(rows);
        return;
      }
      done = Platform.getLong(null, block + Abi.AGG_ROWS_DONE);
      give(result);
    }
  }

  /** Merges a page of another table. */
  void merge(long page) {
    long done = 0;
    while (true) {
      long result = Kernels.aggMergePage(block, page, done);
      if (result >= 0) {
        return;
      }
      done = Platform.getLong(null, block + Abi.AGG_ROWS_DONE);
      give(result);
    }
  }

  private void give(long result) {
    int number = Platform.getInt(null, block + Abi.AGG_NEED_PARTITION);
    long need = Platform.getLong(null, block + Abi.AGG_NEED);
    long partition = partition(number);
    if (result == Abi.NEEDS_INDEX) {
      Platform.putLong(null, partition + Abi.PARTITION_INDEX, memory.allocate(need * 8));
      Platform.putLong(null, partition + Abi.PARTITION_INDEX_SLOTS, need);
      int width = Platform.getInt(null, block + Abi.AGG_ROW_WIDTH);
      assertThat(Kernels.indexBuild(partition, width))
          .isEqualTo(Platform.getLong(null, partition + Abi.PARTITION_ROWS));
      indexesGiven++;
      return;
    }
    assertThat(result).isEqualTo(Abi.NEEDS_PAGE);
    int capacity = (int) Math.max(need, pageBytes);
    long page = memory.allocate(capacity);
    Kernels.pageInit(page, capacity);
    List<Long> list = pages.get(number);
    list.add(page);
    long array = memory.allocate(8L * list.size());
    for (int i = 0; i < list.size(); i++) {
      Platform.putLong(null, array + 8L * i, list.get(i));
    }
    Platform.putLong(null, partition + Abi.PARTITION_PAGES, array);
    Platform.putInt(null, partition + Abi.PARTITION_NPAGES, list.size());
    pagesGiven++;
  }

  private long partition(int number) {
    return Platform.getLong(null, block + Abi.AGG_PARTITIONS) + (long) number * Abi.PARTITION_SIZE;
  }

  List<Long> allPages() {
    return pages.stream().flatMap(List::stream).toList();
  }

  /** Every group's keys and results. */
  List<List<Object>> results(int atATime) {
    List<List<Object>> rows = new ArrayList<>();
    long out = columns(RESULT_TYPES, atATime);
    long emit = memory.allocate(Abi.EMIT_SIZE);
    for (int f : new int[] {Abi.AGG_KEY_LAYOUT, Abi.AGG_FUNCTIONS}) {
      int to = f == Abi.AGG_KEY_LAYOUT ? Abi.EMIT_KEY_LAYOUT : Abi.EMIT_FUNCTIONS;
      Platform.putLong(null, emit + to, Platform.getLong(null, block + f));
    }
    Platform.putLong(null, emit + Abi.EMIT_OUT, out);
    Platform.putInt(null, emit + Abi.EMIT_NKEYS, KEY_TYPES.length);
    Platform.putInt(null, emit + Abi.EMIT_NFUNCTIONS, FUNCTIONS.length);
    int width = Platform.getInt(null, block + Abi.AGG_ROW_WIDTH);
    Platform.putInt(null, emit + Abi.EMIT_ROW_WIDTH, width);
    Platform.putInt(null, emit + Abi.EMIT_FINAL, 1);
    Platform.putInt(null, emit + Abi.EMIT_MAX_ROWS, atATime);
    for (long page : allPages()) {
      Platform.putLong(null, emit + Abi.EMIT_PAGE, page);
      Platform.putInt(null, emit + Abi.EMIT_START_ROW, 0);
      while (true) {
        long written = Kernels.aggEmit(emit);
        for (int r = 0; r < written; r++) {
          List<Object> row = new ArrayList<>();
          for (int c = 0; c < RESULT_TYPES.length; c++) {
            row.add(OffHeap.get(OffHeap.column(out, c), r));
          }
          rows.add(row);
        }
        int next = Platform.getInt(null, emit + Abi.EMIT_START_ROW);
        if (next == Platform.getInt(null, page + Abi.PAGE_ROWS)) {
          break;
        }
      }
    }
    return rows;
  }

  @Override
  public void close() {
    memory.close();
  }
}
