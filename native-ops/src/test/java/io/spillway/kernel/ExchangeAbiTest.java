package io.spillway.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ExchangeAbiTest {
  /** In the order of spw_layout_exchange.h. */
  private static final int[] JAVA = {
    ExchangeAbi.COLUMN_SIZE,
    ExchangeAbi.COLUMN_TYPE,
    ExchangeAbi.COLUMN_HAS_NULLS,
    ExchangeAbi.COLUMN_VALUES,
    ExchangeAbi.COLUMN_NULLS,
    ExchangeAbi.EXCHANGE_SIZE,
    ExchangeAbi.EXCHANGE_COLUMNS,
    ExchangeAbi.EXCHANGE_LAYOUT,
    ExchangeAbi.EXCHANGE_CHUNKS,
    ExchangeAbi.EXCHANGE_PIDS,
    ExchangeAbi.EXCHANGE_COUNTS,
    ExchangeAbi.EXCHANGE_REFS,
    ExchangeAbi.EXCHANGE_TEXT,
    ExchangeAbi.EXCHANGE_TEXT_END,
    ExchangeAbi.EXCHANGE_IMAGE,
    ExchangeAbi.EXCHANGE_IMAGE_CAPACITY,
    ExchangeAbi.EXCHANGE_NEED,
    ExchangeAbi.EXCHANGE_NCOLUMNS,
    ExchangeAbi.EXCHANGE_NPARTITIONS,
    ExchangeAbi.EXCHANGE_CHUNK_BITS,
    ExchangeAbi.EXCHANGE_NCHUNKS,
    ExchangeAbi.EXCHANGE_STORED,
    ExchangeAbi.EXCHANGE_ROWS,
    ExchangeAbi.EXCHANGE_IMAGE_BYTES,
    ExchangeAbi.EXCHANGE_RESERVED,
    ExchangeAbi.IMAGE_SIZE,
    ExchangeAbi.IMAGE_ADDRESS,
    ExchangeAbi.IMAGE_BYTES,
    ExchangeAbi.READ_SIZE,
    ExchangeAbi.READ_IMAGES,
    ExchangeAbi.READ_COLUMNS,
    ExchangeAbi.READ_NCOLUMNS,
    ExchangeAbi.READ_NIMAGES,
    ExchangeAbi.READ_CAPACITY,
    ExchangeAbi.READ_RESERVED,
  };

  @Test
  void shouldAgreeWithTheCompilerOnEverySizeAndOffset() {
    assertThat(Kernels.available()).isTrue();
    int[] c = new int[JAVA.length + 100];
    int figures = ExchangeNatives.layout(c);
    assertThat(figures).isEqualTo(JAVA.length);
    assertThat(Arrays.copyOf(c, figures)).containsExactly(JAVA);
  }
}
