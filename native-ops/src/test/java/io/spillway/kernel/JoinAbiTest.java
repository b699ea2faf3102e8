package io.spillway.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class JoinAbiTest {
  /** In the order of spw_layout_join.h. */
  private static final int[] JAVA = {
    JoinAbi.JOIN_SIZE,
    JoinAbi.JOIN_KEYS,
    JoinAbi.JOIN_HASHES,
    JoinAbi.JOIN_KEYLESS,
    JoinAbi.JOIN_KEY_LAYOUT,
    JoinAbi.JOIN_PARTITIONS,
    JoinAbi.JOIN_ABSENT,
    JoinAbi.JOIN_STATES,
    JoinAbi.JOIN_DEFERRED,
    JoinAbi.JOIN_PAIR_ROWS,
    JoinAbi.JOIN_PAIR_BUILDS,
    JoinAbi.JOIN_CHAIN,
    JoinAbi.JOIN_NEED,
    JoinAbi.JOIN_NKEYS,
    JoinAbi.JOIN_ROW_WIDTH,
    JoinAbi.JOIN_LINK_OFFSET,
    JoinAbi.JOIN_PARTITION_BITS,
    JoinAbi.JOIN_HASH_SHIFT,
    JoinAbi.JOIN_MODE,
    JoinAbi.JOIN_ROWS,
    JoinAbi.JOIN_ROW,
    JoinAbi.JOIN_NPAIRS,
    JoinAbi.JOIN_MAX_PAIRS,
    JoinAbi.JOIN_NDEFERRED,
    JoinAbi.JOIN_NEED_PARTITION,
  };

  @Test
  void shouldAgreeWithTheCompilerOnEverySizeAndOffset() {
    assertThat(Kernels.available()).isTrue();
    int[] c = new int[JAVA.length + 100];
    int figures = JoinNatives.layout(c);
    assertThat(figures).isEqualTo(JAVA.length);
    assertThat(Arrays.copyOf(c, figures)).containsExactly(JAVA);
  }
}
