package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks of every size: none overlaps another, all that is freed goes, and few mappings do. */
class PageSourceTest {
  private final PageSource pages = new PageSource();

  @BeforeEach
  void needsTheLibrary() {
    assumeTrue(System.getProperty("native.skip") == null, "built without the C library");
  }

  private static long mappings() throws IOException {
    try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines.count();
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void shouldKeepEveryBlockApartFromTheOthersWhateverComesAndGoes(long seed) {
    Random random = new Random(seed);
    List<Long> addresses = new ArrayList<>();
    Map<Long, Long> sizes = new HashMap<>();
    Map<Long, Byte> marks = new HashMap<>();
    for (int step = 0; step < 20_000; step++) {
      if (addresses.isEmpty() || random.nextInt(100) < (step < 10_000 ? 60 : 40)) {
        long bytes = pages.roundedBytes(1 + (long) Math.pow(2, random.nextDouble() * 17));
        long address = pages.allocate(bytes);
        byte mark = (byte) step;
        Platform.setMemory(address, mark, bytes);
        addresses.add(address);
        assertThat(sizes.put(address, bytes)).as("an address given out twice").isNull();
        marks.put(address, mark);
        assertThat(address % 64).isZero();
      } else {
        long address = addresses.remove(random.nextInt(addresses.size()));
        long bytes = sizes.remove(address);
        byte mark = marks.remove(address);
        assertThat(Platform.getByte(null, address)).isEqualTo(mark);
        assertThat(Platform.getByte(null, address + bytes / 2)).isEqualTo(mark);
        assertThat(Platform.getByte(null, address + bytes - 1)).isEqualTo(mark);
        pages.free(address, bytes);
      }
    }
    addresses.forEach(address -> pages.free(address, sizes.get(address)));

    long classes = 16 + 15 + 15;
    assertThat(pages.spanBytes())
        .as("at most one empty span of each size stays")
        .isLessThanOrEqualTo(classes * MIB);
  }

  @Test
  void shouldNotUseUpTheProcesssMappingsWhenEveryOtherBlockIsFreed() throws IOException {
    long before = mappings();
    List<Long> addresses = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      addresses.add(pages.allocate(4 * KIB));
    }
    for (int i = 0; i < addresses.size(); i += 2) {
      pages.free(addresses.get(i), 4 * KIB);
    }

    assertThat(mappings() - before).as("10,000 holes must not be 10,000 mappings").isLessThan(500);
    for (int i = 1; i < addresses.size(); i += 2) {
      pages.free(addresses.get(i), 4 * KIB);
    }
    assertThat(pages.spanBytes()).isEqualTo(1 * MIB);
  }

  @Test
  void shouldHoldOnePageOnlyWhenOneBlockIsLeftOfEverySpan() throws IOException {
    List<Long> addresses = new ArrayList<>();
    for (int i = 0; i < 64 * 256; i++) {
      long address = pages.allocate(4 * KIB);
      Platform.putByte(null, address, (byte) 1);
      addresses.add(address);
    }
    long full = resident();
    for (int i = 0; i < addresses.size(); i++) {
      if (i % 256 != 7) {
        pages.free(addresses.get(i), 4 * KIB);
      }
    }

    assertThat(full - resident()).as("of 64 MiB").isGreaterThan(56 * MIB);
    assertThat(pages.spanBytes()).isGreaterThan(60 * MIB);
    for (int i = 7; i < addresses.size(); i += 256) {
      assertThat(Platform.getByte(null, addresses.get(i))).isEqualTo((byte) 1);
      pages.free(addresses.get(i), 4 * KIB);
    }
  }

  private static long resident() throws IOException {
    String[] figures = Files.readString(Path.of("/proc/self/statm")).split(" ", -1);
    return Long.parseLong(figures[1]) * NativePages.pageSize();
  }
}
