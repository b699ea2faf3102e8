package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;

/** Honest bytes: what the ledger says is what the process holds, and it goes when it is freed. */
class ResidentMemoryTest {
  private static final long SEED = 20261130;

  private static long residentBytes() throws IOException {
    String[] pages = Files.readString(Path.of("/proc/self/statm")).split(" ", -1);
    return Long.parseLong(pages[1]) * NativePages.pageSize();
  }

  @Test
  void shouldGiveEverythingBackToTheSystemWhenBlocksOfAllSizesComeAndGo() throws IOException {
    assumeTrue(System.getProperty("native.skip") == null, "built without the C library");
    assertThat(NativePages.available()).as("the C library is in target/classes").isTrue();
    try (Fixture fixture = new Fixture(512 * MIB)) {
      SparkTask task = fixture.task();
      OperatorMemory operator = fixture.executor.openTask(task.context()).operator("Scan", null);
      Random random = new Random(SEED);
      round(operator, random, 16 * MIB);
      long before = residentBytes();

      long grown = 0;
      for (int i = 0; i < 5; i++) {
        grown = Math.max(grown, round(operator, random, 128 * MIB) - before);
      }

      long left = residentBytes() - before;
      assertThat(operator.usedBytes()).isZero();
      assertThat(grown).as("seed %s: what was charged was held", SEED).isGreaterThan(120 * MIB);
      assertThat(left).as("seed %s: bytes resident after all was freed", SEED).isLessThan(24 * MIB);
      operator.close();
      task.complete();
      assertThat(fixture.sparkBytes()).isZero();
    }
  }

  /** Fills memory with touched blocks, frees them in random order; what was resident at the top. */
  private static long round(OperatorMemory operator, Random random, long totalBytes)
      throws IOException {
    List<NativeBlock> blocks = new ArrayList<>();
    while (operator.usedBytes() < totalBytes) {
      NativeBlock block = operator.allocate((4 * KIB) << random.nextInt(12));
      Platform.setMemory(block.address(), (byte) 1, block.size());
      blocks.add(block);
    }
    long top = residentBytes();
    while (!blocks.isEmpty()) {
      blocks.remove(random.nextInt(blocks.size())).close();
    }
    return top;
  }
}
