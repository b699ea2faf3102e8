package io.spillway.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ColumnKernelTest {
  private final OffHeap memory = new OffHeap();

  @AfterEach
  void free() {
    memory.close();
  }

  private long column(int type, Object... values) {
    long column = memory.allocate(Abi.COLUMN_SIZE);
    memory.initColumn(column, type, Abi.KIND_VECTOR, values.length);
    for (int r = 0; r < values.length; r++) {
      memory.put(column, r, values[r]);
    }
    return column;
  }

  private static long values(long column) {
    return Platform.getLong(null, column + Abi.COLUMN_VALUES);
  }

  private static long nulls(long column) {
    return Platform.getLong(null, column + Abi.COLUMN_NULLS);
  }

  @Test
  void shouldKeepOnlyTrueRowsWhenSomeAreFalseOrNull() {
    long condition = column(Abi.T_BOOL, true, false, null, true, true);
    long selection = memory.allocate(4 * 5);
    assertThat(Kernels.select(values(condition), nulls(condition), 5, selection)).isEqualTo(3);
    assertThat(Platform.getInt(null, selection)).isZero();
    assertThat(Platform.getInt(null, selection + 4)).isEqualTo(3);
    assertThat(Platform.getInt(null, selection + 8)).isEqualTo(4);
    long in =
        column(
            Abi.T_STR, OffHeap.utf8("a"), null, null, null, OffHeap.utf8("a long string of text"));
    long out = memory.allocate(Abi.COLUMN_SIZE);
    memory.initColumn(out, Abi.T_STR, Abi.KIND_VECTOR, 3);
    assertThat(Kernels.take(in, out, 1, selection, 3)).isEqualTo(3);
    assertThat(OffHeap.get(out, 0)).isEqualTo("a");
    assertThat(OffHeap.get(out, 1)).isNull();
    assertThat(OffHeap.get(out, 2)).isEqualTo("a long string of text");
    assertThat(OffHeap.hasNulls(out)).isTrue();
  }

  @Test
  void shouldRefuseADictionaryIdWhenItIsOutsideUnlessItsRowIsNull() {
    long dictionary = column(Abi.T_I64, 10L, 20L);
    long ids = column(Abi.T_I32, 1, null, 0);
    long out = memory.allocate(8 * 3);
    assertThat(
            Kernels.dictionary(Abi.T_I64, values(dictionary), 2, values(ids), nulls(ids), 3, out))
        .isEqualTo(3);
    assertThat(Platform.getLong(null, out)).isEqualTo(20);
    assertThat(Platform.getLong(null, out + 8)).isZero();
    assertThat(Platform.getLong(null, out + 16)).isEqualTo(10);
    memory.put(ids, 0, 2);
    assertThatThrownBy(
            () ->
                Kernels.dictionary(
                    Abi.T_I64, values(dictionary), 2, values(ids), nulls(ids), 3, out))
        .isInstanceOf(KernelException.class)
        .hasMessageContaining("dictionary");
  }

  @Test
  void shouldMakeStringsFromOffsetsAndLengths() {
    long data = memory.putBytes(OffHeap.utf8("shortand one that is longer"));
    long out = column(Abi.T_STR, null, null, null);
    long nulls = nulls(column(Abi.T_BOOL, true, null, true));
    long offsets = memory.putInts(0, -7, 5);
    long lengths = memory.putInts(5, 99, 22);
    assertThat(Kernels.strings(offsets, lengths, data, 27, nulls, 3, values(out))).isEqualTo(3);
    assertThat(OffHeap.value(Abi.T_STR, values(out))).isEqualTo("short");
    assertThat(OffHeap.value(Abi.T_STR, values(out) + 16)).isEqualTo("");
    assertThat(OffHeap.value(Abi.T_STR, values(out) + 32)).isEqualTo("and one that is longer");
    assertThatThrownBy(() -> Kernels.strings(offsets, lengths, data, 26, nulls, 3, values(out)))
        .isInstanceOf(KernelException.class);
  }

  @Test
  void shouldReadDecimalsAsBigIntegerWritesThem() {
    BigInteger[] decimals = {
      BigInteger.ZERO,
      BigInteger.ONE.negate(),
      BigInteger.valueOf(128),
      BigInteger.valueOf(-129),
      BigInteger.TEN.pow(38).subtract(BigInteger.ONE).negate(),
      BigInteger.ONE.shiftLeft(127).negate()
    };
    int[] offsets = new int[decimals.length];
    int[] lengths = new int[decimals.length];
    java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
    for (int i = 0; i < decimals.length; i++) {
      offsets[i] = bytes.size();
      lengths[i] = decimals[i].toByteArray().length;
      bytes.writeBytes(decimals[i].toByteArray());
    }
    long out = memory.allocate(16L * decimals.length);
    Kernels.decimals(
        memory.putInts(offsets),
        memory.putInts(lengths),
        memory.putBytes(bytes.toByteArray()),
        bytes.size(),
        0,
        decimals.length,
        out);
    for (int i = 0; i < decimals.length; i++) {
      assertThat(OffHeap.value(Abi.T_I128, out + 16L * i)).isEqualTo(decimals[i]);
    }
  }

  @Test
  void shouldKeepTheSignWhenWidening() {
    long in = column(Abi.T_I16, (short) -2, Short.MAX_VALUE);
    long out = memory.allocate(16);
    assertThat(Kernels.widen(Abi.T_I16, values(in), 2, out)).isEqualTo(2);
    assertThat(Platform.getLong(null, out)).isEqualTo(-2);
    assertThat(Platform.getLong(null, out + 8)).isEqualTo(Short.MAX_VALUE);
  }
}
