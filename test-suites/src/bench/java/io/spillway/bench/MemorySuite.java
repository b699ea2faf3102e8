package io.spillway.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The memory manager beside what it stands on: allocating, spilling, the end of a task. */
final class MemorySuite implements BenchSuite {
  private static final String BARE = "BARE";
  private static final String SPILLWAY = "SPILLWAY";
  private static final String ALLOCATION = "io.spillway.memory.AllocationBenchmark.";
  private static final String SPILL = "io.spillway.memory.spill.SpillBenchmark.roundTrip";
  private static final String CLOSE = "io.spillway.memory.ScopeCloseBenchmark.close";

  private static final Target EXTRA_NANOS = Target.atMost(100);
  private static final Target CALLS_PER_100 = Target.atMost(1);
  private static final Target SPILL_RATIO = Target.atLeast(0.9);
  private static final Target CLOSE_MILLIS = Target.atMost(250);

  /** What {@code SpillBenchmark} writes and reads in one operation. */
  private static final double SPILL_MIB = 32;

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public List<Subject> subjects(boolean quick) {
    List<Subject> subjects = new ArrayList<>();
    Case.Effort allocating = quick ? new Case.Effort(1, 2, 100) : new Case.Effort(4, 5, 200);
    for (String pattern : List.of("pair", "batch")) {
      for (int threads = 1; threads <= 2; threads++) {
        subjects.add(allocation(pattern, 4096, threads, allocating));
        subjects.add(allocation(pattern, 65536, threads, allocating));
      }
    }
    Case.Effort spilling = quick ? new Case.Effort(1, 1, 200) : new Case.Effort(3, 5, 400);
    subjects.add(spill(4096, spilling));
    subjects.add(spill(65536, spilling));
    Case.Effort closing = quick ? new Case.Effort(0, 1, 1) : new Case.Effort(1, 3, 1);
    for (String held : List.of("BLOCKS", "BUFFERS")) {
      subjects.add(close(held, 256, closing));
      subjects.add(close(held, 4096, closing));
      subjects.add(close(held, 65536, closing));
    }
    return subjects;
  }

  private static Subject allocation(String pattern, int bytes, int threads, Case.Effort effort) {
    String name = "%s of %d KiB, threads: %d".formatted(pattern, bytes / 1024, threads);
    // The target is for a block that comes and goes; batches inform.
    Target target = pattern.equals("pair") ? EXTRA_NANOS : null;
    return beside(
        name,
        ALLOCATION + pattern,
        "bytes",
        bytes,
        threads,
        effort,
        pairs ->
            List.of(
                pairs.difference(name, "ns", Sample::score, target),
                pairs.difference(name + ", cpu", "ns", Sample::cpu, null),
                Measure.single(
                    name + ", calls to Spark",
                    "per 100",
                    Figure.of(
                        pairs.ours(), each -> 100 * each.other("sparkCalls") / each.other("pairs")),
                    CALLS_PER_100)));
  }

  private static Subject spill(int bytes, Case.Effort effort) {
    String name = "spill and read, pages of %d KiB".formatted(bytes / 1024);
    return beside(
        name,
        SPILL,
        "pageBytes",
        bytes,
        1,
        effort,
        pairs ->
            List.of(
                pairs.ratio(name, "MiB/s", each -> mibPerSecond(each.score()), SPILL_RATIO),
                pairs.ratio(name + ", cpu", "MiB/s", each -> mibPerSecond(each.cpu()), null)));
  }

  private static double mibPerSecond(double millis) {
    return SPILL_MIB / millis * 1000;
  }

  private static Subject close(String held, int bytes, Case.Effort effort) {
    int shots = effort.iterations();
    String name = "close 100,000 %s of %d bytes".formatted(held, bytes);
    return Subject.alone(
        new Case(name, CLOSE, Map.of("held", held, "bytes", Integer.toString(bytes)), 1, effort),
        ours ->
            List.of(
                Measure.single(name, "ms", Figure.of(ours, Sample::score), CLOSE_MILLIS),
                Measure.single(
                    name + ", cpu",
                    "ms",
                    Figure.of(ours, each -> each.other("threadCpuNanos") / shots / 1e6),
                    null)));
  }

  private static Subject beside(
      String name,
      String method,
      String sizeName,
      int bytes,
      int threads,
      Case.Effort effort,
      Function<Paired, List<Measure>> report) {
    List<Case> sides = new ArrayList<>();
    for (String side : List.of(BARE, SPILLWAY)) {
      Map<String, String> parameters = Map.of("side", side, sizeName, Integer.toString(bytes));
      sides.add(new Case(name + ", " + side, method, parameters, threads, effort));
    }
    return Subject.beside(name, sides.get(0), sides.get(1), report);
  }
}
