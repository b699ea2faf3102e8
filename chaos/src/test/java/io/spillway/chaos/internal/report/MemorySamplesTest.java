package io.spillway.chaos.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemorySamplesTest {
  @TempDir Path dir;

  @Test
  void shouldCoverTheWholeRunInABoundedFileWhenItIsLong() throws IOException {
    Path file = dir.resolve("memory.jsonl");
    try (MemorySamples samples = new MemorySamples(file, 8)) {
      for (int i = 0; i < 100; i++) {
        samples.add(new JsonObject().put("millis", i));
        assertThat(Files.readAllLines(file)).hasSizeLessThanOrEqualTo(8);
      }
      samples.keep(new JsonObject().put("millis", 1000));
    }
    List<Long> kept = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      kept.add(Long.parseLong(line.replaceAll("\\D", "")));
    }
    assertThat(kept).isSorted().doesNotHaveDuplicates().startsWith(0L).endsWith(1000L);
    assertThat(kept).hasSizeBetween(4, 8);
    assertThat(kept).anyMatch(millis -> millis > 80 && millis < 100);
  }

  @Test
  void shouldKeepEverySampleWhenTheyAreFew() throws IOException {
    Path file = dir.resolve("memory.jsonl");
    Files.writeString(file, "{\"of\":\"an earlier process with this id\"}\n");
    try (MemorySamples samples = new MemorySamples(file, 8)) {
      for (int i = 0; i < 8; i++) {
        samples.add(new JsonObject().put("millis", i));
      }
    }
    assertThat(Files.readAllLines(file)).hasSize(8).first().isEqualTo("{\"millis\":0}");
  }
}
