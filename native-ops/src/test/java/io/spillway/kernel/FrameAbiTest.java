package io.spillway.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FrameAbiTest {
  /** In the order of spw_layout_frame.h. */
  private static final int[] JAVA = {
    FrameAbi.FN_SIZE,
    FrameAbi.FN_VALUES,
    FrameAbi.FN_NULLS,
    FrameAbi.FN_SEEN,
    FrameAbi.FN_NTH,
    FrameAbi.FN_OP,
    FrameAbi.FN_TYPE,
    FrameAbi.FN_OUT_TYPE,
    FrameAbi.FN_INPUT,
    FrameAbi.FN_IGNORE_NULLS,
    FrameAbi.FN_RESERVED,
    FrameAbi.FRAME_SIZE,
    FrameAbi.FRAME_SPREAD,
    FrameAbi.FRAME_INPUTS,
    FrameAbi.FRAME_FUNCTIONS,
    FrameAbi.FRAME_FROM,
    FrameAbi.FRAME_TO,
    FrameAbi.FRAME_PLACE,
    FrameAbi.FRAME_CHUNK,
    FrameAbi.FRAME_LOWER,
    FrameAbi.FRAME_UPPER,
    FrameAbi.FRAME_UNBOUNDED,
    FrameAbi.FRAME_NINPUTS,
    FrameAbi.FRAME_NFUNCTIONS,
    FrameAbi.FRAME_ROWS,
    FrameAbi.FRAME_CHUNK_ROWS,
    FrameAbi.FRAME_RESERVED,
    FrameAbi.SIDE_SIZE,
    FrameAbi.SIDE_KEYS,
    FrameAbi.SIDE_BOUNDS,
    FrameAbi.SIDE_FROM,
    FrameAbi.SIDE_TO,
    FrameAbi.SIDE_CHUNK,
    FrameAbi.SIDE_AT,
    FrameAbi.SIDE_CHUNK_ROWS,
    FrameAbi.SIDE_FIRST,
    FrameAbi.SIDE_COUNT,
    FrameAbi.SIDE_ROWS,
    FrameAbi.SIDE_UPPER,
    FrameAbi.SIDE_DESCENDING,
    FrameAbi.SIDE_NULLS_LAST,
    FrameAbi.SIDE_RESERVED,
    FrameAbi.PICK_SIZE,
    FrameAbi.PICK_PLACES,
    FrameAbi.PICK_HANDLES,
    FrameAbi.PICK_FIRST,
    FrameAbi.PICK_PAGE_ROWS,
    FrameAbi.PICK_ROW_WIDTH,
    FrameAbi.PICK_ROWS,
    FrameAbi.PICK_RESERVED,
  };

  @Test
  void shouldAgreeWithTheCompilerOnEverySizeAndOffset() {
    assertThat(Kernels.available()).isTrue();
    int[] c = new int[JAVA.length + 100];
    int figures = FrameNatives.layout(c);
    assertThat(Arrays.copyOf(c, figures)).containsExactly(JAVA);
  }
}
