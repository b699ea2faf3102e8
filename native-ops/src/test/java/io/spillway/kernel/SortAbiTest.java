package io.spillway.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SortAbiTest {
  /** In the order of spw_layout_sort.h. */
  private static final int[] JAVA = {
    SortAbi.KEY_SIZE,
    SortAbi.KEY_COLUMN,
    SortAbi.KEY_DESCENDING,
    SortAbi.KEY_NULLS_LAST,
    SortAbi.KEY_NULLABLE,
    SortAbi.ENTRY_SIZE,
    SortAbi.ENTRY_PREFIX,
    SortAbi.ENTRY_HANDLE,
    SortAbi.RUN_SIZE,
    SortAbi.RUN_ENTRIES,
    SortAbi.RUN_PAGE,
    SortAbi.RUN_NEXT,
    SortAbi.RUN_COUNT,
    SortAbi.RUN_PREFIX,
    SortAbi.RUN_ROW,
    SortAbi.RUN_ROW_PAGE,
    SortAbi.RUN_ENDED,
    SortAbi.RUN_RESERVED,
    SortAbi.SORT_SIZE,
    SortAbi.SORT_LAYOUT,
    SortAbi.SORT_KEYS,
    SortAbi.SORT_STRINGS,
    SortAbi.SORT_PARTITION,
    SortAbi.SORT_RUNS,
    SortAbi.SORT_TREE,
    SortAbi.SORT_NCOLUMNS,
    SortAbi.SORT_ROW_WIDTH,
    SortAbi.SORT_NKEYS,
    SortAbi.SORT_NSTRINGS,
    SortAbi.SORT_NRUNS,
    SortAbi.SORT_NEED_RUN,
    SortAbi.SORT_NEED,
    SortAbi.FIRST_SIZE,
    SortAbi.FIRST_COLUMN,
    SortAbi.FIRST_HEAP,
    SortAbi.FIRST_SELECTION,
    SortAbi.FIRST_DESCENDING,
    SortAbi.FIRST_NULLS_LAST,
    SortAbi.FIRST_EXACT,
    SortAbi.FIRST_LIMIT,
    SortAbi.FIRST_COUNT,
    SortAbi.FIRST_ROWS,
  };

  @Test
  void shouldAgreeWithTheCompilerOnEverySizeAndOffset() {
    assertThat(Kernels.available()).isTrue();
    int[] c = new int[JAVA.length + 100];
    int figures = SortNatives.layout(c);
    assertThat(Arrays.copyOf(c, figures)).containsExactly(JAVA);
  }
}
