package io.spillway.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
  @Test
  void shouldReadSizesAsPeopleWriteThem() {
    assertThat(ByteSize.parseBytes("17")).isEqualTo(17);
    assertThat(ByteSize.parseBytes("512k")).isEqualTo(512 * 1024);
    assertThat(ByteSize.parseBytes("4M")).isEqualTo(4 << 20);
    assertThat(ByteSize.parseBytes("4 MiB")).isEqualTo(4 << 20);
    assertThat(ByteSize.parseBytes("2gb")).isEqualTo(2L << 30);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "m", "-1m", "1.5m", "4x", "4 m m"})
  void shouldRefuseWhatIsNoSize(String text) {
    assertThatThrownBy(() -> ByteSize.parseBytes(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not a size");
  }

  @Test
  void shouldWriteSizesWithTheLargestUnitThatFits() {
    assertThat(ByteSize.format(0)).isEqualTo("0 B");
    assertThat(ByteSize.format(1023)).isEqualTo("1023 B");
    assertThat(ByteSize.format(1536)).isEqualTo("1.5 KiB");
    assertThat(ByteSize.format(200L << 20)).isEqualTo("200 MiB");
  }
}
