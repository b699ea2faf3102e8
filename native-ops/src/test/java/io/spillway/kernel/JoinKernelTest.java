package io.spillway.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the kernels of hash joins refuse; the operators' tests show what they join. */
class JoinKernelTest {
  private static final int LINK_OFFSET = Abi.ROW_HEADER + 8;

  /** A block with one pair, of probe row 0 and a build row that is not looked at. */
  private static long onePair(OffHeap memory) {
    long layout = memory.allocate(Abi.KEY_SIZE);
    Platform.putInt(null, layout + Abi.KEY_TYPE, Abi.T_I64);
    Platform.putInt(null, layout + Abi.KEY_OFFSET, Abi.ROW_HEADER);
    long block = memory.allocate(JoinAbi.JOIN_SIZE);
    Platform.putLong(null, block + JoinAbi.JOIN_KEY_LAYOUT, layout);
    Platform.putLong(null, block + JoinAbi.JOIN_PARTITIONS, memory.allocate(Abi.PARTITION_SIZE));
    Platform.putLong(null, block + JoinAbi.JOIN_STATES, memory.allocate(1));
    Platform.putLong(null, block + JoinAbi.JOIN_PAIR_ROWS, memory.allocate(4));
    Platform.putLong(null, block + JoinAbi.JOIN_PAIR_BUILDS, memory.allocate(8));
    Platform.putInt(null, block + JoinAbi.JOIN_NKEYS, 1);
    Platform.putInt(null, block + JoinAbi.JOIN_ROW_WIDTH, LINK_OFFSET + 8);
    Platform.putInt(null, block + JoinAbi.JOIN_LINK_OFFSET, LINK_OFFSET);
    Platform.putInt(null, block + JoinAbi.JOIN_ROWS, 1);
    Platform.putInt(null, block + JoinAbi.JOIN_NPAIRS, 1);
    return block;
  }

  @ParameterizedTest(name = "field at {0}")
  @ValueSource(ints = {JoinAbi.JOIN_PAIR_ROWS, JoinAbi.JOIN_PAIR_BUILDS})
  void shouldRefuseToMarkPairsThatAreNowhere(int field) {
    try (OffHeap memory = new OffHeap()) {
      long block = onePair(memory);
      assertThat(JoinKernels.mark(block, 0, 1, false)).isEqualTo(1);

      Platform.putLong(null, block + field, 0);
      assertThatThrownBy(() -> JoinKernels.mark(block, 0, 1, false))
          .isInstanceOf(KernelException.class)
          .hasMessageContaining("join_mark")
          .extracting(e -> ((KernelException) e).code())
          .isEqualTo(Abi.BAD_ARGUMENT);
    }
  }

  @Test
  void shouldMarkNothingWhenThereAreNoPairs() {
    try (OffHeap memory = new OffHeap()) {
      long block = onePair(memory);
      Platform.putLong(null, block + JoinAbi.JOIN_PAIR_ROWS, 0);
      Platform.putLong(null, block + JoinAbi.JOIN_PAIR_BUILDS, 0);
      Platform.putInt(null, block + JoinAbi.JOIN_NPAIRS, 0);
      assertThat(JoinKernels.mark(block, 0, 0, true)).isZero();
    }
  }
}
