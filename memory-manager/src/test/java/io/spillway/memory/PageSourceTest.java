package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
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
    assertThat(pages.spanBytes())
        .as("an empty span, and those of the 64 blocks that were freed last")
        .isBetween(1 * MIB, 3 * MIB);
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

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void shouldGiveBackWhatIsFreedAtOnceAndNothingElse(long seed) throws IOException {
    Random random = new Random(seed);
    long before = resident();
    long mappingsBefore = mappings();
    List<LedgeredBlock> freed = new ArrayList<>();
    List<LedgeredBlock> kept = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) {
      // From 64 bytes to 128 KiB, half of them of sizes that are often next to each other.
      long bytes =
          pages.roundedBytes(
              i % 2 == 0
                  ? 64 * KIB * (1 + random.nextInt(2))
                  : 1 + (long) Math.pow(2, random.nextDouble() * 16));
      LedgeredBlock block = new LedgeredBlock(null, pages.allocate(bytes), bytes, null);
      Platform.setMemory(block.address(), (byte) i, bytes);
      (random.nextInt(20) == 0 ? kept : freed).add(block);
    }
    Map<LedgeredBlock, Byte> marks = new HashMap<>();
    for (LedgeredBlock block : kept) {
      marks.put(block, Platform.getByte(null, block.address()));
    }
    long full = resident() - before;

    pages.freeAll(freed);

    assertThat(resident() - before)
        .as("a twentieth is kept, and pins some spans of small blocks")
        .isLessThan(full / 6);
    for (LedgeredBlock block : kept) {
      byte mark = marks.get(block);
      for (long at = block.address(); at < block.address() + block.bytes(); at++) {
        if (Platform.getByte(null, at) != mark) {
          fail("a block of " + block.bytes() + " bytes was freed with its neighbours");
        }
      }
    }
    // What was freed can be had again, and is nobody else's.
    Map<Long, Long> again = new HashMap<>();
    for (LedgeredBlock block : freed) {
      again.put(pages.allocate(block.bytes()), block.bytes());
    }
    assertThat(again).as("none was given out twice").hasSameSizeAs(freed);
    kept.forEach(block -> assertThat(again).doesNotContainKey(block.address()));
    again.forEach(pages::free);
    pages.freeAll(kept);
    assertThat(pages.spanBytes())
        .as("at most one empty span of each size stays")
        .isLessThanOrEqualTo((16 + 15) * 64 * KIB + 15 * MIB);
    assertThat(mappings() - mappingsBefore).isLessThan(16 + 15 + 15);
  }

  private static long resident() throws IOException {
    String[] figures = Files.readString(Path.of("/proc/self/statm")).split(" ", -1);
    return Long.parseLong(figures[1]) * NativePages.pageSize();
  }
}
