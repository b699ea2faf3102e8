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

  @Test
  void shouldRefuseChunksThatHoldMoreRowsThanAnIntCounts() {
    try (OffHeap memory = new OffHeap()) {
      long block = store(memory, 0, 0);
      Platform.putLong(null, block + ExchangeAbi.EXCHANGE_PIDS, memory.allocate(4));
      Platform.putInt(null, block + ExchangeAbi.EXCHANGE_CHUNK_BITS, 16);
      Platform.putInt(null, block + ExchangeAbi.EXCHANGE_NCHUNKS, Short.MAX_VALUE);
      assertThat(ExchangeKernels.append(block, 0)).isZero();

      // There is room for one more row, whose number would be below 0.
      Platform.putInt(null, block + ExchangeAbi.EXCHANGE_NCHUNKS, Short.MAX_VALUE + 1);
      Platform.putInt(null, block + ExchangeAbi.EXCHANGE_STORED, Integer.MAX_VALUE);
      Platform.putInt(null, block + ExchangeAbi.EXCHANGE_ROWS, 1);
      assertThatThrownBy(() -> ExchangeKernels.append(block, 0))
          .isInstanceOf(KernelException.class)
          .hasMessageContaining("exchange_append")
          .extracting(e -> ((KernelException) e).code())
          .isEqualTo(Abi.BAD_ARGUMENT);
    }
  }

  @Test
  void shouldRefuseToReadImagesWhenTheBlockIsNotAligned() {
    try (OffHeap memory = new OffHeap()) {
      // One row of no columns is nothing but a header.
      long image = memory.putInts(ExchangeAbi.IMAGE_HEADER_BYTES, 1);
      long images = memory.allocate(ExchangeAbi.IMAGE_SIZE);
      Platform.putLong(null, images + ExchangeAbi.IMAGE_ADDRESS, image);
      Platform.putLong(null, images + ExchangeAbi.IMAGE_BYTES, ExchangeAbi.IMAGE_HEADER_BYTES);
      long room = memory.allocate(ExchangeAbi.READ_SIZE + 8);
      for (long block : new long[] {room, room + 4}) {
        Platform.setMemory(block, (byte) 0, ExchangeAbi.READ_SIZE);
        Platform.putLong(null, block + ExchangeAbi.READ_IMAGES, images);
        Platform.putInt(null, block + ExchangeAbi.READ_NIMAGES, 1);
        if (block == room) {
          assertThat(ExchangeKernels.readImages(block)).isEqualTo(1);
          continue;
        }
        assertThatThrownBy(() -> ExchangeKernels.readImages(block))
            .isInstanceOf(KernelException.class)
            .hasMessageContaining("exchange_read_images")
            .extracting(e -> ((KernelException) e).code())
            .isEqualTo(Abi.BAD_ARGUMENT);
      }
    }
  }
}
