package io.spillway.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;

/** What the kernels of window functions refuse; the operators' tests show what they compute. */
class WindowKernelTest {
  /** Two keys of strings, of the rows and of the row before them. */
  private static long keyed(OffHeap memory, int rows) {
    long keys = memory.allocate(2L * Abi.COLUMN_SIZE);
    long last = memory.allocate(2L * Abi.COLUMN_SIZE);
    for (int k = 0; k < 2; k++) {
      memory.initColumn(OffHeap.column(keys, k), Abi.T_STR, Abi.KIND_VECTOR, rows);
      memory.initColumn(OffHeap.column(last, k), Abi.T_STR, Abi.KIND_VECTOR, 1);
    }
    long block = memory.allocate(WindowAbi.WINDOW_SIZE);
    Platform.putLong(null, block + WindowAbi.WINDOW_KEYS, keys);
    Platform.putLong(null, block + WindowAbi.WINDOW_LAST, last);
    Platform.putLong(null, block + WindowAbi.WINDOW_MARKS, memory.allocate(rows));
    Platform.putInt(null, block + WindowAbi.WINDOW_NPARTITION, 1);
    Platform.putInt(null, block + WindowAbi.WINDOW_NKEYS, 2);
    Platform.putInt(null, block + WindowAbi.WINDOW_ROWS, rows);
    return block;
  }

  @Test
  void shouldSayThatKeysAreTooLongWhenNoTextCanHoldThem() {
    try (OffHeap memory = new OffHeap()) {
      long block = keyed(memory, 1);
      long keys = Platform.getLong(null, block + WindowAbi.WINDOW_KEYS);
      for (int k = 0; k < 2; k++) {
        long values = Platform.getLong(null, OffHeap.column(keys, k) + Abi.COLUMN_VALUES);
        Platform.putInt(null, values + Abi.STR_LENGTH, 1 << 30);
      }
      assertThatThrownBy(() -> WindowKernels.keep(block))
          .isInstanceOf(KernelException.class)
          .hasMessageContaining("window_keep")
          .extracting(e -> ((KernelException) e).code())
          .isEqualTo(Abi.TOO_LONG);

      long values = Platform.getLong(null, keys + Abi.COLUMN_VALUES);
      Platform.putInt(null, values + Abi.STR_LENGTH, (1 << 30) - 1);
      assertThat(WindowKernels.keep(block)).isEqualTo(Abi.NEEDS_BYTES);
      assertThat(Platform.getLong(null, block + WindowAbi.WINDOW_NEED))
          .isEqualTo(Integer.MAX_VALUE);
    }
  }
}
