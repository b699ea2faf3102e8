package io.spillway.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;

class AbiTest {
  /** In the order of spw_layout.h. */
  private static final int[] JAVA = {
    Abi.STR_SIZE,
    Abi.STR_LENGTH,
    Abi.STR_PREFIX,
    Abi.STR_ADDRESS,
    Abi.COLUMN_SIZE,
    Abi.COLUMN_VALUES,
    Abi.COLUMN_NULLS,
    Abi.COLUMN_TYPE,
    Abi.COLUMN_KIND,
    Abi.COLUMN_HAS_NULLS,
    Abi.COLUMN_RESERVED,
    Abi.INSTR_SIZE,
    Abi.INSTR_OP,
    Abi.INSTR_TYPE,
    Abi.INSTR_DST,
    Abi.INSTR_A,
    Abi.INSTR_B,
    Abi.INSTR_C,
    Abi.INSTR_IMM,
    Abi.EVAL_SIZE,
    Abi.EVAL_REGISTERS,
    Abi.EVAL_CODE,
    Abi.EVAL_NREGISTERS,
    Abi.EVAL_NINSTRUCTIONS,
    Abi.EVAL_ROWS,
    Abi.EVAL_CHUNK_ROWS,
    Abi.EVAL_HEAP,
    Abi.EVAL_HEAP_END,
    Abi.EVAL_NEED,
    Abi.EVAL_AT_ROW,
    Abi.EVAL_AT_INSTRUCTION,
    Abi.PAGE_SIZE,
    Abi.PAGE_CAPACITY,
    Abi.PAGE_ROWS,
    Abi.PAGE_BACK,
    Abi.PAGE_RESERVED,
    Abi.KEY_SIZE,
    Abi.KEY_TYPE,
    Abi.KEY_OFFSET,
    Abi.PARTITION_SIZE,
    Abi.PARTITION_PAGES,
    Abi.PARTITION_INDEX,
    Abi.PARTITION_INDEX_SLOTS,
    Abi.PARTITION_INDEX_USED,
    Abi.PARTITION_ROWS,
    Abi.PARTITION_NPAGES,
    Abi.PARTITION_RESERVED,
    Abi.FN_SIZE,
    Abi.FN_OP,
    Abi.FN_TYPE,
    Abi.FN_STATE_OFFSET,
    Abi.FN_INPUT,
    Abi.FN_INPUT2,
    Abi.FN_PRECISION,
    Abi.FN_OUT_PRECISION,
    Abi.FN_SCALE_UP,
    Abi.FN_OUT_TYPE,
    Abi.FN_OUT_SCALE,
    Abi.FN_INPUT3,
    Abi.FN_MERGE,
    Abi.AGG_SIZE,
    Abi.AGG_KEYS,
    Abi.AGG_INPUTS,
    Abi.AGG_KEY_LAYOUT,
    Abi.AGG_FUNCTIONS,
    Abi.AGG_PARTITIONS,
    Abi.AGG_SCRATCH,
    Abi.AGG_NKEYS,
    Abi.AGG_NINPUTS,
    Abi.AGG_NFUNCTIONS,
    Abi.AGG_ROW_WIDTH,
    Abi.AGG_PARTITION_BITS,
    Abi.AGG_HASH_SHIFT,
    Abi.AGG_MERGE,
    Abi.AGG_ROWS,
    Abi.AGG_ROWS_DONE,
    Abi.AGG_NEED_PARTITION,
    Abi.AGG_RESERVED,
    Abi.AGG_NEED,
    Abi.EMIT_SIZE,
    Abi.EMIT_PAGE,
    Abi.EMIT_KEY_LAYOUT,
    Abi.EMIT_FUNCTIONS,
    Abi.EMIT_OUT,
    Abi.EMIT_NKEYS,
    Abi.EMIT_NFUNCTIONS,
    Abi.EMIT_ROW_WIDTH,
    Abi.EMIT_FINAL,
    Abi.EMIT_START_ROW,
    Abi.EMIT_MAX_ROWS,
    Abi.ROW_BATCH_SIZE,
    Abi.ROW_BATCH_COLUMNS,
    Abi.ROW_BATCH_DATA,
    Abi.ROW_BATCH_OFFSETS,
    Abi.ROW_BATCH_CAPACITY,
    Abi.ROW_BATCH_NCOLUMNS,
    Abi.ROW_BATCH_ROWS,
    Abi.ROW_BATCH_NEED,
    Abi.ROW_HEADER,
    Abi.AGG_SCRATCH_BYTES,
    Abi.ABI_VERSION,
  };

  @Test
  void shouldLoadTheLibraryWhenItWasBuiltForThisPlatform() {
    assertThat(Kernels.unavailableReason()).isNull();
    assertThat(Kernels.available()).isTrue();
    assertThat(Kernels.level()).isBetween(Abi.LEVEL_BASELINE, Abi.LEVEL_AVX2);
  }

  @Test
  void shouldAgreeWithTheCompilerOnEverySizeAndOffset() {
    assertThat(Kernels.available()).isTrue();
    int[] c = new int[JAVA.length + 100];
    int figures = Natives.layout(c);
    assertThat(figures).isEqualTo(JAVA.length);
    assertThat(java.util.Arrays.copyOf(c, figures)).containsExactly(JAVA);
  }

  @Test
  void shouldNameKernelAndMeaningWhenABlockIsWrong() {
    try (OffHeap memory = new OffHeap()) {
      long block = memory.allocate(Abi.EVAL_SIZE);
      Platform.putInt(null, block + Abi.EVAL_CHUNK_ROWS, 1);
      assertThatThrownBy(() -> Kernels.eval(block))
          .isInstanceOf(KernelException.class)
          .hasMessage("kernel eval answered -10: an argument is outside its range")
          .extracting(e -> ((KernelException) e).code())
          .isEqualTo(Abi.BAD_ARGUMENT);
    }
  }

  @Test
  void shouldRefuseALevelThatTheProcessorHasNot() {
    assertThatThrownBy(() -> Kernels.eval(0, Kernels.level() + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("CPU level");
    assertThat(Natives.eval(7, 0)).isEqualTo(Abi.BAD_ARGUMENT);
  }

  @Test
  void shouldKnowTheMeaningOfEveryResultAndOfNoOther() {
    assertThat(Kernels.available()).isTrue();
    int[] known = {
      Abi.NEEDS_PAGE,
      Abi.NEEDS_INDEX,
      Abi.NEEDS_BYTES,
      Abi.NEEDS_HOST,
      Abi.BAD_ARGUMENT,
      Abi.BAD_PROGRAM,
      Abi.BAD_TYPE,
      Abi.BAD_PAGE,
      Abi.BAD_ROW,
      Abi.BAD_IMAGE,
      Abi.TOO_LONG
    };
    for (int code : known) {
      assertThat(Natives.resultText(code)).as("result %s", code).isNotBlank();
    }
    assertThat(Natives.resultText(-5)).isNull();
    assertThat(Natives.resultText(0)).isNull();
  }
}
