package io.spillway.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;

/** What the row store's kernels refuse; that they store rows is what the operators' tests show. */
class RowsKernelTest {
  private static final int ROW_WIDTH = Abi.ROW_HEADER + Abi.STR_SIZE;

  /** One column of strings, one partition without a page. */
  private static long store(OffHeap memory, int rows) {
    long columns = memory.allocate(Abi.COLUMN_SIZE);
    memory.initColumn(columns, Abi.T_STR, Abi.KIND_VECTOR, rows);
    long layout = memory.allocate(Abi.KEY_SIZE);
    Platform.putInt(null, layout + Abi.KEY_TYPE, Abi.T_STR);
    Platform.putInt(null, layout + Abi.KEY_OFFSET, Abi.ROW_HEADER);
    long block = memory.allocate(RowsAbi.ROWS_SIZE);
    Platform.putLong(null, block + RowsAbi.ROWS_COLUMNS, columns);
    Platform.putLong(null, block + RowsAbi.ROWS_LAYOUT, layout);
    Platform.putLong(null, block + RowsAbi.ROWS_PARTITIONS, memory.allocate(Abi.PARTITION_SIZE));
    Platform.putInt(null, block + RowsAbi.ROWS_NCOLUMNS, 1);
    Platform.putInt(null, block + RowsAbi.ROWS_ROW_WIDTH, ROW_WIDTH);
    Platform.putInt(null, block + RowsAbi.ROWS_ROWS, rows);
    return block;
  }

  @Test
  void shouldSayThatARowIsTooLongWhenNoPageCanHoldIt() {
    try (OffHeap memory = new OffHeap()) {
      long block = store(memory, 1);
      long columns = Platform.getLong(null, block + RowsAbi.ROWS_COLUMNS);
      long length = Platform.getLong(null, columns + Abi.COLUMN_VALUES) + Abi.STR_LENGTH;
      int most = Integer.MAX_VALUE / 8 * 8 - Abi.PAGE_SIZE - ROW_WIDTH;

      Platform.putInt(null, length, most);
      assertThat(RowsKernels.append(block, 0)).isEqualTo(Abi.NEEDS_PAGE);
      assertThat(Platform.getLong(null, block + RowsAbi.ROWS_NEED))
          .isEqualTo(Integer.MAX_VALUE / 8 * 8);

      Platform.putInt(null, length, most + 1);
      assertThatThrownBy(() -> RowsKernels.append(block, 0))
          .isInstanceOf(KernelException.class)
          .hasMessageContaining("takes more than 2147483647 bytes")
          .extracting(e -> ((KernelException) e).code())
          .isEqualTo(Abi.TOO_LONG);
    }
  }
}
