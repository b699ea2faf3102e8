package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.kernel.Abi;
import io.spillway.kernel.RowsAbi;
import io.spillway.kernel.RowsKernels;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import io.spillway.memory.spill.SpillSegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The row store in a task, in more and in less memory than its rows take. */
class RowStoreTest {
  /** The first column numbers the rows; what the others hold follows from it. */
  private static final int[] TYPES = new int[40];

  static {
    int[] cycle = {Abi.T_STR, Abi.T_I32, Abi.T_F64, Abi.T_I128, Abi.T_BOOL, Abi.T_I16, Abi.T_F32};
    TYPES[0] = Abi.T_I64;
    for (int c = 1; c < TYPES.length; c++) {
      TYPES[c] = cycle[c % cycle.length];
    }
  }

  @ParameterizedTest(name = "{0} rows, {1} off-heap, {2} bits, seed {3}")
  @CsvSource({"20000, 1m, 2, 1", "20000, 1m, 0, 2", "3000, 64m, 6, 3"})
  void shouldReadEveryRowBackWhenPartitionsAreSpilled(
      int rows, String offHeap, int bits, long seed) {
    try (TestSession session = TestSession.open(1, offHeap, Map.of())) {
      OperatorMetrics metrics = new OperatorMetrics(session.spark().sparkContext());
      JavaSparkContext spark = JavaSparkContext.fromSparkContext(session.spark().sparkContext());

      List<Long> spilled =
          spark
              .parallelize(List.of(seed), 1)
              .map(s -> new Run(metrics, bits, new Random(s)).all(rows))
              .collect();

      if (offHeap.equals("1m")) {
        assertThat(spilled.get(0)).as("bytes spilled").isPositive();
      }
      session.assertNothingLeft();
    }
  }

  @Test
  void shouldStopAndSayHowFarItCameWhenItIsRefusedRoom() {
    try (TestSession session = TestSession.open(1, "16m", Map.of())) {
      OperatorMetrics metrics = new OperatorMetrics(session.spark().sparkContext());
      JavaSparkContext spark = JavaSparkContext.fromSparkContext(session.spark().sparkContext());

      int appended =
          spark.parallelize(List.of(7L), 1).map(s -> new Run(metrics, 0, 3).append(500)).first();

      assertThat(appended).isPositive().isLessThan(500);
      session.assertNothingLeft();
    }
  }

  @Test
  void shouldGiveUpWhenRoomIsFoundAgainAndAgainAndNoRowGetsIn() {
    try (TestSession session = TestSession.open(1, "16m", Map.of())) {
      OperatorMetrics metrics = new OperatorMetrics(session.spark().sparkContext());
      JavaSparkContext spark = JavaSparkContext.fromSparkContext(session.spark().sparkContext());

      String told =
          spark
              .parallelize(List.of(7L), 1)
              .map(s -> new Run(metrics, 0, new Random(s)).fillInVain())
              .first();

      assertThat(told)
          .startsWith("RowStoreTest loses each page or index before a row is in it")
          .contains("spark.memory.offHeap.size", "spark.executor.cores");
      session.assertNothingLeft();
    }
  }

  /** A store filled and read in one task. */
  private static final class Run {
    private static final int BATCH_ROWS = 64;

    private final OperatorContext context;
    private final OperatorMemory memory;
    private final RowLayout layout;
    private final RowStore store;
    private final Random random;
    private final long columns;
    private final long hashes;
    private final long text;
    private final ColumnBuffer[] buffers = new ColumnBuffer[TYPES.length];
    private int blocksLeft = Integer.MAX_VALUE;

    Run(OperatorMetrics metrics, int bits, Random random) {
      this(metrics, bits, random, Integer.MAX_VALUE);
    }

    Run(OperatorMetrics metrics, int bits, int mostBlocks) {
      this(metrics, bits, new Random(0), mostBlocks);
    }

    private Run(OperatorMetrics metrics, int bits, Random random, int mostBlocks) {
      this.random = random;
      RowStore[] stores = new RowStore[1];
      context =
          OperatorContext.open(
              "RowStoreTest",
              bytes -> stores[0] == null ? 0 : stores[0].partitions().spill(bytes),
              metrics);
      memory = context.memory();
      layout = new RowLayout(TYPES, memory.allocate(RowLayout.bytes(TYPES.length)).address());
      columns = memory.allocate((long) TYPES.length * Abi.COLUMN_SIZE).address();
      hashes = memory.allocate(8L * BATCH_ROWS).address();
      text = memory.allocate(64).address();
      for (int c = 0; c < TYPES.length; c++) {
        buffers[c] = ColumnBuffer.allocate(memory, TYPES[c], BATCH_ROWS);
      }
      Platform.setMemory(text, (byte) 'x', 64);
      store = new RowStore(context, this::room, layout, bits, 0);
      blocksLeft = mostBlocks;
      stores[0] = store;
    }

    private NativeBlock room(long bytes) {
      return blocksLeft-- > 0 ? memory.allocate(bytes) : null;
    }

    /** Appends so many rows of one batch after another until the store stops. */
    int append(int rows) {
      int done = 0;
      while (done < rows) {
        int batch = batch(done, Math.min(BATCH_ROWS, rows - done));
        int appended = store.append(0);
        done += appended;
        if (appended < batch) {
          break;
        }
      }
      return done;
    }

    /** What is thrown if a kernel asks for an index and never takes a row. */
    String fillInVain() {
      long block = memory.allocate(24 + Abi.PARTITION_SIZE).address();
      Platform.setMemory(block, (byte) 0, 24);
      Platform.putLong(null, block + 16, Abi.AGG_MIN_INDEX_SLOTS);
      RowPartitions.Stop stop = new RowPartitions.Stop(block, block + 8, block + 16);
      RowPartitions partitions =
          new RowPartitions(context, memory::allocate, block + 24, 0, 64, 4096);
      try {
        return "rows: " + partitions.fill(0, from -> Abi.NEEDS_INDEX, stop);
      } catch (SparkOutOfMemoryError e) {
        return e.getMessage();
      } finally {
        context.end();
      }
    }

    /** The bytes that were spilled. */
    long all(int rows) {
      int done = 0;
      while (done < rows) {
        int batch = batch(done, Math.min(BATCH_ROWS, rows - done));
        assertThat(store.append(0)).isEqualTo(batch);
        done += batch;
        if (random.nextInt(200) == 0) {
          store.partitions().spill(store.partitions().get(0));
        }
      }
      List<Long> seen = new ArrayList<>();
      for (RowPartition partition : store.partitions().all()) {
        read(partition, seen);
      }
      assertThat(seen).hasSize(rows).doesNotHaveDuplicates();
      long spilled = memory.spilledBytes();
      store.close();
      context.end();
      return spilled;
    }

    private int batch(int firstId, int rows) {
      for (int c = 0; c < TYPES.length; c++) {
        for (int i = 0; i < rows; i++) {
          put(c, i, firstId + i);
        }
        NativeVector.describe(
            columns + (long) c * Abi.COLUMN_SIZE,
            TYPES[c],
            Abi.KIND_VECTOR,
            buffers[c].values(),
            buffers[c].nulls());
      }
      RowsKernels.hash(columns, 1, rows, hashes, 0);
      store.setInput(columns, hashes, 0, rows);
      return rows;
    }

    private static boolean isNull(int column, long id) {
      return column > 0 && (id * 31 + column) % 7 == 0;
    }

    private static int length(int column, long id) {
      return (int) ((id + column) % 50);
    }

    private void put(int column, int row, long id) {
      Platform.putByte(null, buffers[column].nulls() + row, (byte) (isNull(column, id) ? 1 : 0));
      long at = buffers[column].values() + (long) row * Abi.width(TYPES[column]);
      switch (TYPES[column]) {
        case Abi.T_BOOL -> Platform.putByte(null, at, (byte) (id & 1));
        case Abi.T_I16 -> Platform.putShort(null, at, (short) (id + column));
        case Abi.T_I32 -> Platform.putInt(null, at, (int) (id - column));
        case Abi.T_I64 -> Platform.putLong(null, at, id);
        case Abi.T_F32 -> Platform.putFloat(null, at, id / 2f);
        case Abi.T_F64 -> Platform.putDouble(null, at, id / 4d);
        case Abi.T_I128 -> {
          Platform.putLong(null, at, id);
          Platform.putLong(null, at + 8, -id);
        }
        default -> {
          int length = length(column, id);
          Platform.setMemory(at, (byte) 0, Abi.STR_SIZE);
          Platform.putInt(null, at, length);
          Platform.setMemory(at + Abi.STR_PREFIX, (byte) 'x', Math.min(length, 12));
          if (length > Abi.STR_INLINE_BYTES) {
            Platform.putLong(null, at + Abi.STR_ADDRESS, text);
          }
        }
      }
    }

    private void read(RowPartition partition, List<Long> seen) {
      // Reading takes memory too, which may spill what has not been read yet.
      while (partition.hasPages() || !partition.segments().isEmpty()) {
        List<SpillSegment> segments = List.copyOf(partition.segments());
        partition.segments().clear();
        try (PageReader pages =
            new PageReader(memory, store::checkPage, store.partitions().file(), segments)) {
          for (NativeBlock page = pages.next(); page != null; page = pages.next()) {
            readPage(page, seen);
          }
        }
        while (partition.hasPages()) {
          readPage(partition.takePage(), seen);
        }
      }
    }

    private void readPage(NativeBlock page, List<Long> seen) {
      try (NativeBlock owned = page;
          NativeBlock out = memory.allocate(RowsAbi.OUT_SIZE)) {
        int rows = Platform.getInt(null, owned.address() + Abi.PAGE_ROWS);
        Platform.setMemory(out.address(), (byte) 0, RowsAbi.OUT_SIZE);
        Platform.putLong(null, out.address() + RowsAbi.OUT_LAYOUT, layout.address());
        Platform.putLong(null, out.address() + RowsAbi.OUT_PAGE, owned.address());
        Platform.putLong(null, out.address() + RowsAbi.OUT_OUT, columns);
        Platform.putInt(null, out.address() + RowsAbi.OUT_NCOLUMNS, TYPES.length);
        Platform.putInt(null, out.address() + RowsAbi.OUT_NOUT, TYPES.length);
        Platform.putInt(null, out.address() + RowsAbi.OUT_ROW_WIDTH, layout.rowWidth());
        for (int first = 0; first < rows; first += BATCH_ROWS) {
          int count = Math.min(BATCH_ROWS, rows - first);
          Platform.putInt(null, out.address() + RowsAbi.OUT_FIRST, first);
          Platform.putInt(null, out.address() + RowsAbi.OUT_ROWS, count);
          RowsKernels.gather(out.address());
          for (int i = 0; i < count; i++) {
            seen.add(checkRow(i));
          }
        }
      }
    }

    private long checkRow(int row) {
      long id = Platform.getLong(null, buffers[0].values() + 8L * row);
      for (int c = 0; c < TYPES.length; c++) {
        boolean isNull = Platform.getByte(null, buffers[c].nulls() + row) != 0;
        assertThat(isNull).as("row %d, column %d is null", id, c).isEqualTo(isNull(c, id));
        if (!isNull) {
          assertThat(value(c, row)).as("row %d, column %d", id, c).isEqualTo(wanted(c, id));
        }
      }
      return id;
    }

    private Object value(int column, int row) {
      long at = buffers[column].values() + (long) row * Abi.width(TYPES[column]);
      return switch (TYPES[column]) {
        case Abi.T_BOOL -> Platform.getByte(null, at);
        case Abi.T_I16 -> Platform.getShort(null, at);
        case Abi.T_I32 -> Platform.getInt(null, at);
        case Abi.T_I64 -> Platform.getLong(null, at);
        case Abi.T_F32 -> Platform.getFloat(null, at);
        case Abi.T_F64 -> Platform.getDouble(null, at);
        case Abi.T_I128 -> List.of(Platform.getLong(null, at), Platform.getLong(null, at + 8));
        default -> {
          byte[] bytes = new byte[Platform.getInt(null, at)];
          long from =
              bytes.length <= Abi.STR_INLINE_BYTES
                  ? at + Abi.STR_PREFIX
                  : Platform.getLong(null, at + Abi.STR_ADDRESS);
          Platform.copyMemory(null, from, bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
          yield new String(bytes, StandardCharsets.US_ASCII);
        }
      };
    }

    private static Object wanted(int column, long id) {
      return switch (TYPES[column]) {
        case Abi.T_BOOL -> (byte) (id & 1);
        case Abi.T_I16 -> (short) (id + column);
        case Abi.T_I32 -> (int) (id - column);
        case Abi.T_I64 -> id;
        case Abi.T_F32 -> id / 2f;
        case Abi.T_F64 -> id / 4d;
        case Abi.T_I128 -> List.of(id, -id);
        default -> "x".repeat(length(column, id));
      };
    }
  }
}
