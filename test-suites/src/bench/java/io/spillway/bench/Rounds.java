package io.spillway.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.spark.launcher.JavaModuleOptions;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs cases in rounds: in each, every case once in a JVM of its own, every second round in reverse
 * order. What is compared is measured side by side, so that a machine that becomes slower meanwhile
 * makes both slower.
 */
final class Rounds implements Forks {
  private static final List<String> HEAP =
      List.of("-Xms512m", "-Xmx512m", "-XX:+UseG1GC", "-XX:+AlwaysPreTouch");

  private final Path temporary;
  private final PrintWriter out;

  /**
   * Ready to run.
   *
   * @param temporary directory for what forks write
   * @param out told each figure as it comes
   */
  Rounds(Path temporary, PrintWriter out) {
    this.temporary = temporary;
    this.out = out;
  }

  @Override
  public Map<String, List<Sample>> run(List<Case> cases, int rounds) throws IOException {
    Files.createDirectories(temporary);
    Map<String, List<Sample>> samples = new LinkedHashMap<>();
    cases.forEach(each -> samples.put(each.name(), new ArrayList<>()));
    List<Case> order = new ArrayList<>(cases);
    for (int round = 1; round <= rounds; round++) {
      out.println("round " + round + " of " + rounds);
      for (Case each : order) {
        Sample sample = fork(each);
        samples.get(each.name()).add(sample);
        out.println(String.format(Locale.ROOT, "  %-45s %12.1f", each.name(), sample.score()));
        out.flush();
      }
      Collections.reverse(order);
    }
    return samples;
  }

  private Sample fork(Case each) {
    List<String> jvm = new ArrayList<>(HEAP);
    jvm.addAll(List.of(JavaModuleOptions.defaultModuleOptions().split(" ")));
    jvm.add("-Djava.io.tmpdir=" + temporary.toAbsolutePath());
    jvm.add("-Dlog4j2.configurationFile=classpath:io/spillway/bench/log4j2.properties");
    jvm.addAll(each.jvm());
    Path log = temporary.resolve("fork.log");
    Case.Effort effort = each.effort();
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(each.method()) + "$")
            .forks(1)
            .threads(each.threads())
            .warmupIterations(effort.warmups())
            .warmupTime(TimeValue.milliseconds(effort.millis()))
            .measurementIterations(effort.iterations())
            .measurementTime(TimeValue.milliseconds(effort.millis()))
            .jvmArgs(jvm.toArray(String[]::new))
            .addProfiler(CpuTime.class)
            .shouldFailOnError(true)
            .timeout(TimeValue.minutes(5))
            .verbosity(VerboseMode.NORMAL)
            .output(log.toString());
    each.parameters().forEach(options::param);
    try {
      return sample(new Runner(options.build()).runSingle());
    } catch (RunnerException e) {
      throw new BenchException(each.name() + " failed: " + e.getMessage() + " See " + log, e);
    }
  }

  private static Sample sample(RunResult result) {
    Map<String, Double> others = new LinkedHashMap<>();
    result
        .getSecondaryResults()
        .forEach(
            (name, figure) ->
                others.put(name, name.equals(CpuTime.LABEL) ? median(figure) : figure.getScore()));
    return new Sample(median(result.getPrimaryResult()), others);
  }

  private static double median(Result<?> result) {
    return result.getStatistics().getPercentile(50);
  }
}
