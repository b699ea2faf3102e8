package io.spillway.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

/** The columns of a window's figures. */
class FigureColumnsTest {
  private final FigureColumns<String> columns = new FigureColumns<>("w");

  @Test
  void shouldGiveOneColumnToAllWhoAskForTheSame() {
    Attribute first = columns.of("row number", DataTypes.IntegerType, false);
    Attribute other = columns.of("rank", DataTypes.IntegerType, false);

    assertThat(columns.of("row number", DataTypes.IntegerType, false)).isSameAs(first);
    assertThat(columns.of("rank", DataTypes.IntegerType, false)).isSameAs(other);
    assertThat(columns.figures()).containsExactly("row number", "rank");
    assertThat(columns.columns()).extracting(Attribute::name).containsExactly("w1", "w2");
  }

  @Test
  void shouldKeepOneColumnForEachOfSparksTypesThatKernelsHoldAlike() {
    Attribute date = columns.of("first", DataTypes.DateType, true);
    Attribute number = columns.of("first", DataTypes.IntegerType, true);

    assertThat(columns.of("first", DataTypes.DateType, true)).isSameAs(date);
    assertThat(columns.of("first", DataTypes.IntegerType, true)).isSameAs(number);
    assertThat(columns.columns()).containsExactly(date, number);
  }
}
