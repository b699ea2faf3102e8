package io.spillway.drill;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ResultComparisonTest {
  private static final List<ResultFile.Column> COLUMNS =
      List.of(
          new ResultFile.Column("region", "string"),
          new ResultFile.Column("total", "double"),
          new ResultFile.Column("price", "decimal(12,2)"));

  @Test
  void shouldFindNoDifferenceWhenRowsComeInAnotherOrder() {
    long seed = 20_261_130L;
    Random random = new Random(seed);
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      rows.add(row("r" + random.nextInt(20), Double.toString(random.nextDouble() * 1e6), "1.00"));
    }
    List<List<String>> shuffled = new ArrayList<>(rows);
    Collections.shuffle(shuffled, random);

    assertThat(difference(rows, shuffled, false)).as("seed %d", seed).isNull();
  }

  @Test
  void shouldTakeFloatsForEqualWhenTheyAgreeToOneInABillion() {
    assertThat(difference(one("1000000000.0"), one("1000000000.9"), false)).isNull();
    assertThat(difference(one("1000000000.0"), one("1000000001.1"), false)).contains("no row like");
    assertThat(difference(one("0.0"), one("-0.0"), false)).isNull();
    assertThat(difference(one("0.0"), one("1.0E-300"), false)).isNotNull();
  }

  @Test
  void shouldMatchRowsByToleranceWhenOnlyFloatsTellThemApart() {
    List<List<String>> expected = List.of(row("a", "1.0", "1"), row("a", "2.0", "1"));
    List<List<String>> actual =
        List.of(row("a", "2.0000000001", "1"), row("a", "1.0000000001", "1"));

    assertThat(difference(expected, actual, false)).isNull();
  }

  /** Each row's partner is found at once, or this takes minutes. */
  @Test
  @Timeout(60)
  void shouldCompareManyRowsWhenOnlyFloatsTellThemApart() {
    long seed = 20_261_201L;
    Random random = new Random(seed);
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < 400_000; i++) {
      rows.add(row("a", Double.toString(random.nextDouble()), "1"));
    }
    List<List<String>> shuffled = new ArrayList<>(rows);
    Collections.shuffle(shuffled, random);

    assertThat(difference(rows, shuffled, false)).as("seed %d", seed).isNull();
  }

  @Test
  void shouldTellNotANumberAndInfinityFromNumbers() {
    assertThat(difference(one("NaN"), one("NaN"), false)).isNull();
    assertThat(difference(one("NaN"), one("1.0"), false)).isNotNull();
    assertThat(difference(one("Infinity"), one("Infinity"), false)).isNull();
    assertThat(difference(one("Infinity"), one("-Infinity"), false)).isNotNull();
    assertThat(difference(one("Infinity"), one("1.7E308"), false)).isNotNull();
  }

  @Test
  void shouldTellNullFromEveryValue() {
    assertThat(difference(List.of(row("a", null, "1")), List.of(row("a", null, "1")), false))
        .isNull();
    assertThat(difference(List.of(row("a", null, "1")), List.of(row("a", "0.0", "1")), false))
        .isNotNull();
    assertThat(difference(List.of(row(null, "1.0", "1")), List.of(row("", "1.0", "1")), false))
        .isNotNull();
  }

  @Test
  void shouldCompareDecimalsExactly() {
    assertThat(
            difference(
                List.of(row("a", "1.0", "1000000000.00")),
                List.of(row("a", "1.0", "1000000000.01")),
                false))
        .isNotNull();
  }

  @Test
  void shouldCountEqualRowsWhenComparingMultisets() {
    List<String> a = row("a", "1.0", "1");
    List<String> b = row("b", "1.0", "1");

    assertThat(difference(List.of(a, a, b), List.of(a, b, b), false)).contains("no row like");
    assertThat(difference(List.of(a, b), List.of(a, b, b), false)).contains("3 rows where 2");
  }

  @Test
  void shouldNameTheRowWhenAnOrderedResultIsInAnotherOrder() {
    List<String> a = row("a", "1.0", "1");
    List<String> b = row("b", "1.0", "1");

    assertThat(difference(List.of(a, b), List.of(b, a), true)).startsWith("row 0 is [b");
    assertThat(difference(List.of(a, b), List.of(a, b), true)).isNull();
  }

  @Test
  void shouldTellResultsApartWhenATypeDiffers() {
    ResultFile expected = new ResultFile(COLUMNS, List.of());
    List<ResultFile.Column> other = new ArrayList<>(COLUMNS);
    other.set(2, new ResultFile.Column("price", "decimal(13,2)"));

    assertThat(ResultComparison.difference(expected, new ResultFile(other, List.of()), false))
        .hasValueSatisfying(text -> assertThat(text).contains("decimal(13,2)"));
  }

  private static List<List<String>> one(String floating) {
    return List.of(row("a", floating, "1"));
  }

  private static List<String> row(String... values) {
    return Arrays.asList(values);
  }

  private static String difference(
      List<List<String>> expected, List<List<String>> actual, boolean ordered) {
    return ResultComparison.difference(
            new ResultFile(COLUMNS, expected), new ResultFile(COLUMNS, actual), ordered)
        .orElse(null);
  }
}
