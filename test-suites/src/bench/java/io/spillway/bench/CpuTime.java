package io.spillway.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Processor time of the whole process for each operation, in the benchmark's unit. On a machine
 * that others use too it says more than the clock on the wall.
 */
public final class CpuTime implements InternalProfiler {
  /** Name of its figure. */
  static final String LABEL = "cpu";

  private final OperatingSystemMXBean process =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private long startNanos;

  @Override
  public String getDescription() {
    return "processor time of the process for each operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    startNanos = process.getProcessCpuTime();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double nanos = process.getProcessCpuTime() - startNanos;
    double unitNanos = TimeUnit.NANOSECONDS.convert(1, benchmark.getTimeUnit());
    long operations = Math.max(1, result.getMetadata().getAllOps());
    return List.of(
        new ScalarResult(LABEL, nanos / unitNanos / operations, "/op", AggregationPolicy.AVG));
  }
}
