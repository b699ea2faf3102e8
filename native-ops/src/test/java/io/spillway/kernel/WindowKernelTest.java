package io.spillway.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.spark.unsafe.Platform;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** A sum over one column of longs, for every row. */
  private static long summing(OffHeap memory, int rows) {
    long inputs = memory.allocate(Abi.COLUMN_SIZE);
    memory.initColumn(inputs, Abi.T_I64, Abi.KIND_VECTOR, rows);
    long function = memory.allocate(WindowAbi.FN_SIZE);
    Platform.putLong(null, function + WindowAbi.FN_VALUES, memory.allocate(8L * rows));
    Platform.putLong(null, function + WindowAbi.FN_NULLS, memory.allocate(rows));
    Platform.putInt(null, function + WindowAbi.FN_OP, WindowAbi.OP_SUM_I64);
    Platform.putInt(null, function + WindowAbi.FN_TYPE, Abi.T_I64);
    Platform.putInt(null, function + WindowAbi.FN_OUT_TYPE, Abi.T_I64);
    long block = memory.allocate(WindowAbi.WINDOW_SIZE);
    Platform.putLong(null, block + WindowAbi.WINDOW_INPUTS, inputs);
    Platform.putLong(null, block + WindowAbi.WINDOW_FUNCTIONS, function);
    Platform.putLong(null, block + WindowAbi.WINDOW_MARKS, memory.allocate(rows));
    Platform.putLong(null, block + WindowAbi.WINDOW_LENGTHS, memory.allocate(8L * rows));
    Platform.putLong(null, block + WindowAbi.WINDOW_LENGTHS + 8, memory.allocate(8L * rows));
    Platform.putInt(null, block + WindowAbi.WINDOW_NINPUTS, 1);
    Platform.putInt(null, block + WindowAbi.WINDOW_NFUNCTIONS, 1);
    Platform.putInt(null, block + WindowAbi.WINDOW_ROWS, rows);
    return block;
  }

  private static void assertRefused(String kernel, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(KernelException.class)
        .hasMessageContaining(kernel)
        .extracting(e -> ((KernelException) e).code())
        .isEqualTo(Abi.BAD_ARGUMENT);
  }

  @Test
  void shouldRefuseInputsThatAreNotAligned() {
    try (OffHeap memory = new OffHeap()) {
      long block = summing(memory, 2);
      assertThat(WindowKernels.run(block, 0, 2)).isEqualTo(2);

      long inputs = Platform.getLong(null, block + WindowAbi.WINDOW_INPUTS);
      long apart = memory.allocate(Abi.COLUMN_SIZE + 8) + 4;
      Platform.copyMemory(null, inputs, null, apart, Abi.COLUMN_SIZE);
      Platform.putLong(null, block + WindowAbi.WINDOW_INPUTS, apart);
      assertRefused("window_run", () -> WindowKernels.run(block, 0, 2));
    }
  }

  @Test
  void shouldRefuseAnInputWithoutValues() {
    try (OffHeap memory = new OffHeap()) {
      long block = summing(memory, 2);
      long inputs = Platform.getLong(null, block + WindowAbi.WINDOW_INPUTS);
      Platform.putLong(null, inputs + Abi.COLUMN_VALUES, 0);
      assertRefused("window_run", () -> WindowKernels.run(block, 0, 2));
    }
  }

  @ParameterizedTest(name = "field at {0}")
  @ValueSource(ints = {WindowAbi.WINDOW_KEYS, WindowAbi.WINDOW_LAST})
  void shouldRefuseKeysWithoutValues(int field) {
    try (OffHeap memory = new OffHeap()) {
      long block = keyed(memory, 2);
      Platform.putInt(null, block + WindowAbi.WINDOW_HAS_LAST, 1);
      assertThat(WindowKernels.mark(block)).isEqualTo(2);
      assertThat(WindowKernels.keep(block)).isZero();

      long column = OffHeap.column(Platform.getLong(null, block + field), 1);
      Platform.putLong(null, column + Abi.COLUMN_VALUES, 0);
      assertRefused("window_mark", () -> WindowKernels.mark(block));
      assertRefused("window_keep", () -> WindowKernels.keep(block));
    }
  }

  @Test
  void shouldRefuseToKeepTextWhereThereIsNone() {
    try (OffHeap memory = new OffHeap()) {
      long block = keyed(memory, 1);
      Platform.putInt(null, block + WindowAbi.WINDOW_TEXT_BYTES, 16);
      assertRefused("window_keep", () -> WindowKernels.keep(block));
    }
  }

  @Test
  void shouldRefuseToSpreadGroupsOverRowsThatAreNowhere() {
    try (OffHeap memory = new OffHeap()) {
      long block = memory.allocate(WindowAbi.SPREAD_SIZE);
      Platform.putLong(null, block + WindowAbi.SPREAD_LENGTHS, memory.putInts(1, 0));
      Platform.putInt(null, block + WindowAbi.SPREAD_GROUPS, 1);
      assertThat(WindowKernels.spreadOver(block, 0)).isZero();
      assertRefused("window_spread_over", () -> WindowKernels.spreadOver(block, 1));

      Platform.putLong(null, block + WindowAbi.SPREAD_SELECTION, memory.allocate(4));
      assertThat(WindowKernels.spreadOver(block, 1)).isEqualTo(1);
    }
  }
}
