package io.spillway.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The report as one HTML page that needs nothing else: the chart library is inside. The template
 * escapes every value; what goes in as it is comes from here.
 */
public final class RunPage {
  private static final String LIBRARY = "/META-INF/resources/webjars/uplot/1.6.30/dist/";
  private static final double MIB = 1 << 20;

  /** What a browser shows in a blink; with 100,000 rows and lines it stands still. */
  private static final int MOST_FAULTS = 2000;

  private RunPage() {}

  /**
   * Renders the page.
   *
   * @param run where the report came from: the memory samples are in no report
   * @throws IOException if the chart library is not on the class path
   */
  public static String of(ChaosReport report, RunReader run) throws IOException {
    Map<String, Object> values = new HashMap<>();
    values.put("report", report);
    values.put("charts", charts(report, run));
    values.put("library", resource("uPlot.iife.min.js"));
    values.put("style", resource("uPlot.min.css"));
    StringOutput output = new StringOutput();
    TemplateEngine.createPrecompiled(ContentType.Html).render("chaos-report.jte", values, output);
    return output.toString();
  }

  /** The faults that the page shows, by time. Of too many those that came out worst. */
  public static List<JudgedFault> shown(ChaosReport report) {
    return report.faults().size() <= MOST_FAULTS
        ? report.faults()
        : report.faults().stream()
            .sorted(Comparator.comparing(JudgedFault::outcome).reversed())
            .limit(MOST_FAULTS)
            .sorted(Comparator.comparing(JudgedFault::time).thenComparing(JudgedFault::key))
            .toList();
  }

  /** The word that colours an outcome. */
  public static String colour(Outcome outcome) {
    return switch (outcome) {
      case RECOVERED -> "good";
      case RETRIED -> "fair";
      case FAILED_CLEANLY -> "poor";
      case NOT_HANDLED -> "bad";
    };
  }

  /**
   * What the page's script draws.
   *
   * @param seconds of each sample, since the first of its JVM
   * @param series mebibytes by kind, null where nobody could tell
   */
  private record Chart(String title, List<Double> seconds, List<Series> series, List<Mark> marks) {}

  private record Series(String name, List<Double> mebibytes) {}

  private record Mark(double seconds, String colour, String text) {}

  private static String charts(ChaosReport report, RunReader run) throws JsonProcessingException {
    List<Chart> charts = new ArrayList<>();
    for (JvmFiles jvm : run.jvms()) {
      if (!jvm.samples().isEmpty()) {
        charts.add(chart(jvm, report));
      }
    }
    // Nothing in it can end the script element that it stands in.
    return Json.LINES.writeValueAsString(charts).replace("<", "\\u003c");
  }

  private static Chart chart(JvmFiles jvm, ChaosReport report) {
    long startMillis = jvm.samples().get(0).millis();
    List<Double> seconds =
        jvm.samples().stream().map(sample -> (sample.millis() - startMillis) / 1000.0).toList();
    List<Series> series = new ArrayList<>();
    add(series, "resident", jvm, MemorySample::rssBytes);
    add(series, "heap", jvm, MemorySample::heapBytes);
    add(series, "direct", jvm, MemorySample::directBytes);
    add(series, "off-heap execution", jvm, MemorySample::offHeapExecutionBytes);
    add(series, "off-heap storage", jvm, MemorySample::offHeapStorageBytes);
    List<Mark> marks = new ArrayList<>();
    for (JudgedFault fault : shown(report)) {
      if (fault.jvm() == jvm.pid()) {
        marks.add(
            new Mark(
                (fault.timeMillis() - startMillis) / 1000.0,
                colour(fault.outcome()),
                fault.outcome().words() + ": " + fault.key()));
      }
    }
    return new Chart(
        "executor " + jvm.executor() + ", process " + jvm.pid(), seconds, series, marks);
  }

  private static void add(
      List<Series> series, String name, JvmFiles jvm, Function<MemorySample, Long> figure) {
    List<Double> values = new ArrayList<>();
    boolean known = false;
    for (MemorySample sample : jvm.samples()) {
      Long bytes = figure.apply(sample);
      known |= bytes != null && bytes > 0;
      values.add(bytes == null ? null : bytes / MIB);
    }
    if (known) {
      series.add(new Series(name, values));
    }
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = RunPage.class.getResourceAsStream(LIBRARY + name)) {
      if (in == null) {
        throw new IOException("the class path lacks the chart library's " + LIBRARY + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
