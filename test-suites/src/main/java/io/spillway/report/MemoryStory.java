package io.spillway.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * One kind of memory of one JVM before, during and after its faults, in bytes.
 *
 * @param name {@code resident}, {@code direct}, {@code heap} or a pool of Spark's
 * @param beforeBytes at the last sample before the first fault, or at the first sample
 * @param peakBytes the most from there on
 * @param afterBytes at the last sample
 */
public record MemoryStory(String name, long beforeBytes, long peakBytes, long afterBytes) {

  /**
   * The kinds that the samples tell of.
   *
   * @param firstFaultMillis since the epoch; {@link Long#MAX_VALUE} if nothing fired
   */
  static List<MemoryStory> of(List<MemorySample> samples, long firstFaultMillis) {
    List<MemoryStory> stories = new ArrayList<>();
    add(stories, "resident", samples, firstFaultMillis, MemorySample::rssBytes);
    add(stories, "direct", samples, firstFaultMillis, MemorySample::directBytes);
    add(stories, "heap", samples, firstFaultMillis, MemorySample::heapBytes);
    add(
        stories,
        "off-heap execution",
        samples,
        firstFaultMillis,
        MemorySample::offHeapExecutionBytes);
    add(stories, "off-heap storage", samples, firstFaultMillis, MemorySample::offHeapStorageBytes);
    return stories;
  }

  private static void add(
      List<MemoryStory> stories,
      String name,
      List<MemorySample> samples,
      long firstFaultMillis,
      Function<MemorySample, Long> figure) {
    List<MemorySample> known =
        samples.stream().filter(sample -> figure.apply(sample) != null).toList();
    if (known.isEmpty()) {
      return;
    }
    int before = 0;
    // Without a fault there is no before: the peak is then that of the whole run.
    if (firstFaultMillis != Long.MAX_VALUE) {
      while (before + 1 < known.size() && known.get(before + 1).millis() < firstFaultMillis) {
        before++;
      }
    }
    long peak = 0;
    for (MemorySample sample : known.subList(before, known.size())) {
      peak = Math.max(peak, figure.apply(sample));
    }
    stories.add(
        new MemoryStory(
            name,
            figure.apply(known.get(before)),
            peak,
            figure.apply(known.get(known.size() - 1))));
  }
}
