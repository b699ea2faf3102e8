package io.spillway.drill;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DrillDataTest {
  @Test
  void shouldMakeTheSameTransactionsWhereverTheyAreCut() {
    List<Row> whole = list(Transactions.rows(0, 1_000));
    List<Row> parts = list(Transactions.rows(0, 333));
    parts.addAll(list(Transactions.rows(333, 1_000)));

    assertThat(whole).hasSize(1_000).isEqualTo(parts);
    // Tables of one version must not change behind a reader's back: raise DrillData.VERSION.
    assertThat(whole.get(0)).hasToString("[0,centre,books,1725.46,95]");
    assertThat(whole.stream().map(Row::toString).toList().hashCode()).isEqualTo(958_556_041);
  }

  @Test
  void shouldKeepTransactionsWithinTheirRanges() {
    Set<String> regions = new HashSet<>();
    Set<String> categories = new HashSet<>();
    for (Row row : list(Transactions.rows(0, 20_000))) {
      regions.add(row.getString(1));
      categories.add(row.getString(2));
      assertThat(row.getDouble(3)).isBetween(10.0, 10_000.0);
      assertThat(row.getInt(4)).isBetween(1, 100);
    }
    assertThat(regions).hasSize(5);
    assertThat(categories).hasSize(4);
    assertThat(Transactions.regions())
        .extracting(row -> row.getString(0))
        .hasSameElementsAs(regions);
  }

  @ParameterizedTest
  @ValueSource(longs = {10_000, 100_000, 1_000_000})
  void shouldLeaveNoNearTiesWhenRegionsAreRanked(long rows) {
    Map<String, Map<String, double[]>> sums = new TreeMap<>();
    for (Iterator<Row> all = Transactions.rows(0, rows); all.hasNext(); ) {
      Row row = all.next();
      double amount = row.getDouble(3);
      double[] sum =
          sums.computeIfAbsent(row.getString(1), region -> new TreeMap<>())
              .computeIfAbsent(row.getString(2), category -> new double[2]);
      sum[0] += amount;
      sum[1] += amount > 100 ? amount * row.getInt(4) : 0;
    }
    for (int figure = 0; figure < 2; figure++) {
      int which = figure;
      for (Map<String, double[]> region : sums.values()) {
        double[] ranked = region.values().stream().mapToDouble(s -> s[which]).sorted().toArray();
        for (int i = 1; i < ranked.length; i++) {
          assertThat(ranked[i] / ranked[i - 1]).isGreaterThan(1.0001);
        }
      }
    }
  }

  @Test
  void shouldMakeLineItemsOfTheScale() {
    List<Row> whole = list(LineItems.rows(0.001, 1, 1));
    List<Row> parts = list(LineItems.rows(0.001, 1, 2));
    parts.addAll(list(LineItems.rows(0.001, 2, 2)));

    assertThat(whole).isEqualTo(parts).hasSize(6_005);
    assertThat(whole).extracting(row -> row.getLong(0)).containsSequence(1L, 1L, 2L, 3L);
    assertThat(whole.get(0))
        .hasToString(
            "[1,156,4,1,17.00,17954.55,0.04,0.02,N,O,1996-03-13,1996-02-12,1996-03-22,"
                + "DELIVER IN PERSON,TRUCK,egular courts above the]");
  }

  @Test
  void shouldKeepEachScaleAndVersionInAFolderOfItsOwn() {
    Path root = Path.of("root");
    DrillData data = DrillData.under(root, DrillOptions.scale("0.10"));

    assertThat(data.directory()).isEqualTo(root.resolve("0.1-" + DrillData.VERSION));
    assertThat(data.transactionRows()).isEqualTo(1_000_000);
    assertThat(new DrillData(root, new BigDecimal("0.001")).transactionRows()).isEqualTo(10_000);
  }

  private static List<Row> list(Iterator<Row> rows) {
    List<Row> list = new ArrayList<>();
    rows.forEachRemaining(list::add);
    return list;
  }
}
