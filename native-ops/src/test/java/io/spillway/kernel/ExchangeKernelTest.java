package io.spillway.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;

/**
 * What the exchange's kernels refuse; that they exchange rows is what the operators' tests show.
 */
class ExchangeKernelTest {
  private static final int CHUNK_BITS = 3;

  /** A store of string columns and one chunk, whose rows are all of partition 0. */
  private static long store(OffHeap memory, int columns, int rows) {
    long layout = memory.allocate((long) columns * ExchangeAbi.COLUMN_SIZE);
    int chunkBytes = 4 << CHUNK_BITS;
    for (int c = 0; c < columns; c++) {
      long column = layout + (long) c * ExchangeAbi.COLUMN_SIZE;
      Platform.putInt(null, column + ExchangeAbi.COLUMN_TYPE, Abi.T_STR);
      Platform.putInt(null, column + ExchangeAbi.COLUMN_VALUES, chunkBytes);
      chunkBytes += Abi.STR_SIZE << CHUNK_BITS;
      Platform.putInt(null, column + ExchangeAbi.COLUMN_NULLS, chunkBytes);
      chunkBytes += 8 << CHUNK_BITS;
    }
    long chunks = memory.allocate(8);
    Platform.putLong(null, chunks, memory.allocate(chunkBytes));
    long counts = memory.allocate(4);
    Platform.putInt(null, counts, rows);
    long refs = memory.allocate(4L * rows);
    for (int i = 0; i < rows; i++) {
      Platform.putInt(null, refs + 4L * i, i);
    }
    long block = memory.allocate(ExchangeAbi.EXCHANGE_SIZE);
    Platform.putLong(null, block + ExchangeAbi.EXCHANGE_LAYOUT, layout);
    Platform.putLong(null, block + ExchangeAbi.EXCHANGE_CHUNKS, chunks);
    Platform.putLong(null, block + ExchangeAbi.EXCHANGE_COUNTS, counts);
    Platform.putLong(null, block + ExchangeAbi.EXCHANGE_REFS, refs);
    Platform.putInt(null, block + ExchangeAbi.EXCHANGE_NCOLUMNS, columns);
    Platform.putInt(null, block + ExchangeAbi.EXCHANGE_NPARTITIONS, 1);
    Platform.putInt(null, block + ExchangeAbi.EXCHANGE_CHUNK_BITS, CHUNK_BITS);
    Platform.putInt(null, block + ExchangeAbi.EXCHANGE_NCHUNKS, 1);
    Platform.putInt(null, block + ExchangeAbi.EXCHANGE_STORED, rows);
    return block;
  }

  /** Gives a stored string a length, and no bytes: what a kernel must not read to refuse it. */
  private static void putLength(long block, int column, int row, int length) {
    long layout = Platform.getLong(null, block + ExchangeAbi.EXCHANGE_LAYOUT);
    long chunks = Platform.getLong(null, block + ExchangeAbi.EXCHANGE_CHUNKS);
    int values =
        Platform.getInt(
            null, layout + (long) column * ExchangeAbi.COLUMN_SIZE + ExchangeAbi.COLUMN_VALUES);
    long at = Platform.getLong(null, chunks) + values + (long) row * Abi.STR_SIZE;
    Platform.putInt(null, at + Abi.STR_LENGTH, length);
  }

  private static void imageOf(OffHeap memory, long block, int bytes) {
    Platform.putLong(null, block + ExchangeAbi.EXCHANGE_IMAGE, memory.allocate(bytes));
    Platform.putLong(null, block + ExchangeAbi.EXCHANGE_IMAGE_CAPACITY, bytes);
  }

  @Test
  void shouldSayThatARowIsTooLongWhenNoImageCanHoldIt() {
    try (OffHeap memory = new OffHeap()) {
      long block = store(memory, 2, 1);
      imageOf(memory, block, 256);
      putLength(block, 0, 0, 1 << 30);

      putLength(block, 1, 0, (1 << 30) - 256);
      assertThat(ExchangeKernels.image(block, 0, 1)).isEqualTo(Abi.NEEDS_BYTES);
      assertThat(Platform.getLong(null, block + ExchangeAbi.EXCHANGE_NEED))
          .isBetween((1L << 31) - 256, (long) Integer.MAX_VALUE);

      putLength(block, 1, 0, 1 << 30);
      assertThatThrownBy(() -> ExchangeKernels.image(block, 0, 1))
          .isInstanceOf(KernelException.class)
          .hasMessageContaining("exchange_image")
          .hasMessageContaining("takes more than 2147483647 bytes")
          .extracting(e -> ((KernelException) e).code())
          .isEqualTo(Abi.TOO_LONG);
    }
  }

  @Test
  void shouldWriteTheRowsBeforeOneThatIsTooLong() {
    try (OffHeap memory = new OffHeap()) {
      long block = store(memory, 2, 3);
      imageOf(memory, block, 1024);
      putLength(block, 0, 2, Integer.MAX_VALUE);
      putLength(block, 1, 2, Integer.MAX_VALUE);
      assertThat(ExchangeKernels.image(block, 0, 3)).isEqualTo(2);
    }
  }
}
