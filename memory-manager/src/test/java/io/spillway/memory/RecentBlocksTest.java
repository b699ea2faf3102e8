package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was freed last is at hand again; and it is little. */
class RecentBlocksTest {
  private static void needsTheLibrary() {
    assumeTrue(System.getProperty("native.skip") == null, "built without the C library");
  }

  private static long residentBytes() throws IOException {
    String[] figures = Files.readString(Path.of("/proc/self/statm")).split(" ", -1);
    return Long.parseLong(figures[1]) * NativePages.pageSize();
  }

  @ParameterizedTest(name = "{0} bytes")
  @ValueSource(longs = {4 * 1024, 60 * 1024, 64 * 1024, 256 * 1024})
  void shouldHaveTheSamePagesWhenABlockComesAndGoes(long bytes) {
    needsTheLibrary();
    PageSource pages = new PageSource();
    long address = pages.allocate(bytes);
    Platform.setMemory(address, (byte) 7, bytes);
    for (int round = 0; round < 100; round++) {
      pages.free(address, bytes);
      assertThat(pages.allocate(bytes)).isEqualTo(address);
      assertThat(Platform.getByte(null, address + bytes - 1))
          .as("its pages did not go to the system and come back zeroed")
          .isEqualTo((byte) 7);
    }
    pages.free(address, bytes);
  }

  @ParameterizedTest(name = "{0} bytes")
  @ValueSource(longs = {4 * 1024, 12 * 1024, 60 * 1024, 64 * 1024, 256 * 1024, 300 * 1024})
  void shouldGiveBackAllButALittleWhenMuchIsFreed(long bytes) throws IOException {
    needsTheLibrary();
    PageSource pages = new PageSource();
    List<Long> addresses = new ArrayList<>();
    long before = residentBytes();
    for (long taken = 0; taken < 128 * MIB; taken += bytes) {
      long address = pages.allocate(bytes);
      Platform.setMemory(address, (byte) 1, bytes);
      addresses.add(address);
    }
    assertThat(residentBytes() - before).isGreaterThan(120 * MIB);

    addresses.forEach(address -> pages.free(address, bytes));

    assertThat(residentBytes() - before).as("256 KiB, and what the JVM takes").isLessThan(8 * MIB);
  }

  @Test
  void shouldHaveWhatItsOwnThreadFreedWhenSeveralThreadsDo() throws InterruptedException {
    needsTheLibrary();
    PageSource pages = new PageSource();
    Set<Long> others = ConcurrentHashMap.newKeySet();
    long own = pages.allocate(64 * KIB);
    pages.free(own, 64 * KIB);
    List<Thread> threads = new ArrayList<>();
    while (threads.size() < 3) {
      Thread thread =
          new Thread(
              () -> {
                long first = pages.allocate(64 * KIB);
                for (int round = 0; round < 1000; round++) {
                  pages.free(first, 64 * KIB);
                  others.add(pages.allocate(64 * KIB));
                }
              });
      // Every eighth thread shares with this one.
      if ((thread.getId() - Thread.currentThread().getId()) % 8 != 0) {
        threads.add(thread);
      }
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(others).hasSize(3).doesNotContain(own);
    assertThat(pages.allocate(64 * KIB)).isEqualTo(own);
    others.forEach(address -> pages.free(address, 64 * KIB));
    pages.free(own, 64 * KIB);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void shouldKeepTheNewestUpToAQuarterOfAMebibyte(long seed) {
    Random random = new Random(seed);
    RecentBlocks recent = new RecentBlocks();
    Deque<RecentBlocks.Kept> kept = new ArrayDeque<>();
    long nextAddress = 4096;
    for (int step = 0; step < 10_000; step++) {
      long bytes = (step / 1000 % 2 == 0 ? 4 : 64) * KIB * (1 + random.nextInt(4));
      if (random.nextInt(3) == 0) {
        RecentBlocks.Kept newest = null;
        for (RecentBlocks.Kept each : kept) {
          newest = each.bytes() == bytes ? each : newest;
        }
        assertThat(recent.take(bytes)).isEqualTo(newest == null ? 0 : newest.address());
        kept.remove(newest);
      } else {
        nextAddress += MIB;
        long sum = kept.stream().mapToLong(RecentBlocks.Kept::bytes).sum();
        boolean fits = sum + bytes <= 256 * KIB;
        assertThat(recent.offer(nextAddress, bytes)).isEqualTo(fits);
        if (fits) {
          kept.addLast(new RecentBlocks.Kept(nextAddress, bytes));
        } else {
          assertThat(recent.dropOldest()).isEqualTo(kept.pollFirst());
        }
      }
    }
    while (!kept.isEmpty()) {
      assertThat(recent.dropOldest()).isEqualTo(kept.pollFirst());
    }
    assertThat(recent.dropOldest()).isNull();
  }
}
