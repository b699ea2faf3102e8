package io.spillway.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RowsAbiTest {
  /** In the order of spw_layout_rows.h. */
  private static final int[] JAVA = {
    RowsAbi.ROWS_SIZE,
    RowsAbi.ROWS_COLUMNS,
    RowsAbi.ROWS_LAYOUT,
    RowsAbi.ROWS_PARTITIONS,
    RowsAbi.ROWS_SELECTION,
    RowsAbi.ROWS_HASHES,
    RowsAbi.ROWS_NCOLUMNS,
    RowsAbi.ROWS_ROW_WIDTH,
    RowsAbi.ROWS_PARTITION_BITS,
    RowsAbi.ROWS_HASH_SHIFT,
    RowsAbi.ROWS_ROWS,
    RowsAbi.ROWS_NEED_PARTITION,
    RowsAbi.ROWS_ROWS_DONE,
    RowsAbi.ROWS_NEED,
    RowsAbi.OUT_SIZE,
    RowsAbi.OUT_LAYOUT,
    RowsAbi.OUT_PARTITIONS,
    RowsAbi.OUT_HANDLES,
    RowsAbi.OUT_PAGE,
    RowsAbi.OUT_PICKS,
    RowsAbi.OUT_OUT,
    RowsAbi.OUT_NCOLUMNS,
    RowsAbi.OUT_ROW_WIDTH,
    RowsAbi.OUT_NPARTITIONS,
    RowsAbi.OUT_NOUT,
    RowsAbi.OUT_FIRST,
    RowsAbi.OUT_ROWS,
  };

  @Test
  void shouldAgreeWithTheCompilerOnEverySizeAndOffset() {
    assertThat(Kernels.available()).isTrue();
    int[] c = new int[JAVA.length + 100];
    int figures = RowsNatives.layout(c);
    assertThat(Arrays.copyOf(c, figures)).containsExactly(JAVA);
  }

  @Test
  void shouldKeepNullBitsBehindTheHeaderWhenThereAreMoreColumnsThanItHolds() {
    assertThat(RowsAbi.frontBytes(0)).isEqualTo(16);
    assertThat(RowsAbi.frontBytes(32)).isEqualTo(16);
    assertThat(RowsAbi.frontBytes(33)).isEqualTo(24);
    assertThat(RowsAbi.frontBytes(96)).isEqualTo(24);
    assertThat(RowsAbi.frontBytes(97)).isEqualTo(32);
  }
}
