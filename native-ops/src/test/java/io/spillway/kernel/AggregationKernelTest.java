package io.spillway.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Aggregation against a plain HashMap. */
class AggregationKernelTest {
  private static final int ROWS = 5000;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  /** A row: two keys, then the four inputs; null for null. */
  private Object[] row() {
    return new Object[] {
      random.nextInt(10) == 0
          ? null
          : "category number " + random.nextInt(40) + (random.nextBoolean() ? "" : "x"),
      random.nextInt(10) == 0 ? null : random.nextInt(20),
      random.nextInt(5) == 0 ? null : random.nextLong(),
      random.nextInt(5) == 0 ? null : (double) random.nextInt(1000),
      random.nextInt(5) == 0
          ? null
          : new BigInteger(100, random).subtract(BigInteger.ONE.shiftLeft(99)),
      random.nextInt(5) == 0
          ? null
          : "z".repeat(random.nextInt(30)) + (char) ('a' + random.nextInt(26)),
    };
  }

  private List<Object[]> rows() {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(row());
    }
    return rows;
  }

  private static void fill(AggregationHarness table, List<Object[]> rows) {
    for (int r = 0; r < rows.size(); r++) {
      Object[] row = rows.get(r);
      for (int c = 0; c < row.length; c++) {
        long column = c < 2 ? OffHeap.column(table.keys, c) : OffHeap.column(table.inputs, c - 2);
        table.memory.put(column, r, row[c] instanceof String s ? OffHeap.utf8(s) : row[c]);
      }
    }
  }

  /** What SQL says of one group's rows. */
  private static List<Object> oracle(List<Object> key, List<Object[]> rows) {
    Long sum = null;
    double real = 0;
    long reals = 0;
    BigInteger decimal = BigInteger.ZERO;
    long decimals = 0;
    String smallest = null;
    for (Object[] row : rows) {
      if (row[2] != null) {
        sum = (sum == null ? 0 : sum) + (Long) row[2];
      }
      if (row[3] != null) {
        real += (Double) row[3];
        reals++;
      }
      if (row[4] != null) {
        decimal = decimal.add((BigInteger) row[4]);
        decimals++;
      }
      if (row[5] != null && (smallest == null || ((String) row[5]).compareTo(smallest) < 0)) {
        smallest = (String) row[5];
      }
    }
    BigInteger average =
        decimals == 0
            ? null
            : new BigDecimal(decimal)
                .scaleByPowerOfTen(4)
                .divide(BigDecimal.valueOf(decimals), 0, RoundingMode.HALF_UP)
                .toBigInteger();
    return Arrays.asList(
        key.get(0),
        key.get(1),
        (long) rows.size(),
        sum,
        reals == 0 ? null : real / reals,
        decimals == 0 ? null : decimal,
        average,
        smallest);
  }

  private static List<List<Object>> oracle(List<Object[]> rows) {
    Map<List<Object>, List<Object[]>> groups = new HashMap<>();
    for (Object[] row : rows) {
      groups.computeIfAbsent(Arrays.asList(row[0], row[1]), k -> new ArrayList<>()).add(row);
    }
    return groups.entrySet().stream().map(e -> oracle(e.getKey(), e.getValue())).toList();
  }

  @ParameterizedTest(name = "{0} partition bits, pages of {2} bytes")
  @CsvSource({"0, 0, 256", "0, 0, 65536", "3, 6, 512", "6, 0, 4096"})
  void shouldGiveWhatAHashMapGivesWhenPagesRunOutAnywhere(int bits, int shift, int pageBytes) {
    List<Object[]> rows = rows();
    try (AggregationHarness table = new AggregationHarness(bits, shift, pageBytes, ROWS)) {
      fill(table, rows);
      table.addAll(ROWS);
      assertThat(table.pagesGiven).isPositive();
      assertThat(table.indexesGiven).isPositive();
      assertThat(table.results(100))
          .as("seed %s", seed)
          .containsExactlyInAnyOrderElementsOf(oracle(rows));
    }
  }

  @Test
  void shouldGiveTheSameGroupsWhenPagesOfTwoTablesAreMergedIntoAThird() {
    List<Object[]> rows = rows();
    List<Object[]> head = rows.subList(0, ROWS / 2);
    List<Object[]> tail = rows.subList(ROWS / 2, ROWS);
    try (AggregationHarness one = new AggregationHarness(2, 0, 304, head.size());
        AggregationHarness two = new AggregationHarness(0, 0, 1000, tail.size());
        AggregationHarness all = new AggregationHarness(1, 5, 704, 0)) {
      fill(one, head);
      one.addAll(head.size());
      fill(two, tail);
      two.addAll(tail.size());
      for (AggregationHarness table : List.of(one, two)) {
        for (long page : table.allPages()) {
          int capacity = Platform.getInt(null, page + Abi.PAGE_CAPACITY);
          assertThat(Kernels.pageCheck(all.block, page, capacity)).isZero();
          all.merge(page);
        }
      }
      assertThat(all.results(64))
          .as("seed %s", seed)
          .containsExactlyInAnyOrderElementsOf(oracle(rows));
    }
  }

  @Test
  void shouldRefuseAPageWhoseHeaderWasDamaged() {
    List<Object[]> rows = rows();
    try (AggregationHarness table = new AggregationHarness(0, 0, 4096, ROWS)) {
      fill(table, rows);
      table.addAll(ROWS);
      long page = table.allPages().get(0);
      int capacity = Platform.getInt(null, page + Abi.PAGE_CAPACITY);
      assertThat(Kernels.pageCheck(table.block, page, capacity)).isZero();
      Platform.putInt(null, page + Abi.PAGE_ROWS, 1 << 20);
      assertThatThrownBy(() -> Kernels.pageCheck(table.block, page, capacity))
          .isInstanceOf(KernelException.class)
          .hasMessageContaining("page_check")
          .hasMessageContaining("header contradicts itself");
    }
  }

  @Test
  void shouldRefuseAPageWhoseStringPointsOutsideTheStringsOfThePage() {
    List<Object[]> rows = new ArrayList<>();
    rows.add(new Object[] {"a key that is longer than twelve bytes", 1, 2L, 3.0, null, null});
    try (AggregationHarness table = new AggregationHarness(0, 0, 512, 1)) {
      fill(table, rows);
      table.addAll(1);
      long page = table.allPages().get(0);
      long address = page + Abi.PAGE_SIZE + Abi.ROW_HEADER + Abi.STR_ADDRESS;
      int back = Platform.getInt(null, page + Abi.PAGE_BACK);
      assertThat(Platform.getLong(null, address)).isEqualTo(back);
      assertThat(Kernels.pageCheck(table.block, page, 512)).isZero();
      for (long wrong : new long[] {back - 1, back + 1, 512, -1}) {
        Platform.putLong(null, address, wrong);
        assertThatThrownBy(() -> Kernels.pageCheck(table.block, page, 512))
            .as("offset %s", wrong)
            .isInstanceOf(KernelException.class)
            .hasMessageContaining("page_check");
      }
    }
  }

  @ParameterizedTest(name = "in row {0}")
  @ValueSource(ints = {0, 1})
  void shouldSayThatAGroupIsTooLongWhenNoPageCanHoldItsMinimum(int row) {
    try (AggregationHarness table = new AggregationHarness(0, 0, 512, row + 1)) {
      List<Object[]> rows = new ArrayList<>();
      for (int r = 0; r <= row; r++) {
        rows.add(new Object[] {"key", 1, 2L, 3.0, null, null});
      }
      fill(table, rows);
      // A length without bytes: it is to be refused before they are read.
      long strings = OffHeap.column(table.inputs, 3);
      Platform.putByte(null, Platform.getLong(null, strings + Abi.COLUMN_NULLS) + row, (byte) 0);
      Platform.putInt(
          null,
          Platform.getLong(null, strings + Abi.COLUMN_VALUES)
              + (long) row * Abi.STR_SIZE
              + Abi.STR_LENGTH,
          Integer.MAX_VALUE);
      assertThatThrownBy(() -> table.addAll(row + 1))
          .isInstanceOf(KernelException.class)
          .hasMessageContaining("agg_add")
          .hasMessageContaining("takes more than 2147483647 bytes")
          .extracting(e -> ((KernelException) e).code())
          .isEqualTo(Abi.TOO_LONG);
      assertThat(Platform.getLong(null, table.block + Abi.AGG_ROWS_DONE)).isEqualTo(row);
    }
  }
}
