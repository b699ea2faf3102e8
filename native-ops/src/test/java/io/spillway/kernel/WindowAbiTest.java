package io.spillway.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class WindowAbiTest {
  /** In the order of spw_layout_window.h. */
  private static final int[] JAVA = {
    WindowAbi.FN_SIZE,
    WindowAbi.FN_VALUES,
    WindowAbi.FN_NULLS,
    WindowAbi.FN_STATE,
    WindowAbi.FN_SEEN,
    WindowAbi.FN_MORE,
    WindowAbi.FN_OP,
    WindowAbi.FN_TYPE,
    WindowAbi.FN_OUT_TYPE,
    WindowAbi.FN_INPUT,
    WindowAbi.FN_SCOPE,
    WindowAbi.FN_IGNORE_NULLS,
    WindowAbi.WINDOW_SIZE,
    WindowAbi.WINDOW_KEYS,
    WindowAbi.WINDOW_INPUTS,
    WindowAbi.WINDOW_FUNCTIONS,
    WindowAbi.WINDOW_LAST,
    WindowAbi.WINDOW_TEXT,
    WindowAbi.WINDOW_MARKS,
    WindowAbi.WINDOW_LENGTHS,
    WindowAbi.WINDOW_OPEN,
    WindowAbi.WINDOW_ENDED,
    WindowAbi.WINDOW_NEED,
    WindowAbi.WINDOW_PLACE,
    WindowAbi.WINDOW_TEXT_BYTES,
    WindowAbi.WINDOW_NPARTITION,
    WindowAbi.WINDOW_NKEYS,
    WindowAbi.WINDOW_NINPUTS,
    WindowAbi.WINDOW_NFUNCTIONS,
    WindowAbi.WINDOW_ROWS,
    WindowAbi.WINDOW_HAS_LAST,
    WindowAbi.WINDOW_RESERVED,
    WindowAbi.SPREAD_SIZE,
    WindowAbi.SPREAD_LENGTHS,
    WindowAbi.SPREAD_SELECTION,
    WindowAbi.SPREAD_USED,
    WindowAbi.SPREAD_GROUPS,
    WindowAbi.SPREAD_GROUP,
  };

  @Test
  void shouldAgreeWithTheCompilerOnEverySizeAndOffset() {
    assertThat(Kernels.available()).isTrue();
    int[] c = new int[JAVA.length + 100];
    int figures = WindowNatives.layout(c);
    assertThat(Arrays.copyOf(c, figures)).containsExactly(JAVA);
  }
}
