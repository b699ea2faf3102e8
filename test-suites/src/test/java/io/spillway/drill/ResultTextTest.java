package io.spillway.drill;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.sql.Date;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.Test;
import scala.collection.JavaConverters;

class ResultTextTest {
  @Test
  void shouldSayPlainValuesAsTheyAre() {
    assertThat(ResultText.of(null)).isNull();
    assertThat(ResultText.of("a, \"b\"")).isEqualTo("a, \"b\"");
    assertThat(ResultText.of(new BigDecimal("1E+3"))).isEqualTo("1000");
    assertThat(ResultText.of(-0.0D)).isEqualTo("-0.0");
    assertThat(ResultText.of(new byte[] {0, (byte) 0xff})).isEqualTo("00ff");
    assertThat(ResultText.of(Date.valueOf("2026-03-01"))).isEqualTo("2026-03-01");
  }

  @Test
  void shouldTellNestedValuesApartWhenTheirTextsLookAlike() {
    assertThat(ResultText.of(array("a, b"))).isNotEqualTo(ResultText.of(array("a", "b")));
    assertThat(ResultText.of(array("null"))).isNotEqualTo(ResultText.of(array((Object) null)));
    assertThat(ResultText.of(array("1"))).isNotEqualTo(ResultText.of(array(1)));
    assertThat(ResultText.of(RowFactory.create("a", array("b"))))
        .isNotEqualTo(ResultText.of(RowFactory.create("a", "[\"b\"]")));
  }

  @Test
  void shouldSayEqualNestedValuesAlikeWhateverTheirOrderAndIdentity() {
    assertThat(ResultText.of(array(new byte[] {7}, "x")))
        .isEqualTo(ResultText.of(array(new byte[] {7}, "x")))
        .isEqualTo("[07, \"x\"]");
    Map<String, Integer> forth = new LinkedHashMap<>();
    forth.put("a", 1);
    forth.put("b", 2);
    Map<String, Integer> back = new LinkedHashMap<>();
    back.put("b", 2);
    back.put("a", 1);
    assertThat(ResultText.of(JavaConverters.mapAsScalaMap(forth)))
        .isEqualTo(ResultText.of(JavaConverters.mapAsScalaMap(back)))
        .isEqualTo("{\"a\": 1, \"b\": 2}");
  }

  private static Object array(Object... elements) {
    return JavaConverters.asScalaBuffer(Arrays.asList(elements));
  }

  @Test
  void shouldSayWholeRowsInOneLine() {
    assertThat(ResultText.of(RowFactory.create(1, null, array(0)))).isEqualTo("{1, null, [0]}");
  }
}
