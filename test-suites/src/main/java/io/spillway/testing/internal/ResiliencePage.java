package io.spillway.testing.internal;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import io.spillway.testing.SweepOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Everything that the tests found out, as one HTML page that needs nothing else. The template
 * escapes every value.
 *
 * @param classes the reports
 * @param operators the columns of the table, {@code ""} for those that no point told
 * @param lines its rows
 * @param others names of JSON files beside the reports that are none
 */
public record ResiliencePage(
    List<ClassReport> classes, List<String> operators, List<Line> lines, List<String> others) {

  /**
   * A point over all tests.
   *
   * @param cells one for each operator; null where it never came to the point
   */
  public record Line(String point, List<Cell> cells) {}

  /** An operator at a point over all tests. */
  public record Cell(
      long reached,
      long injected,
      long fired,
      long recovered,
      long retried,
      long failedClean,
      long notReached,
      long failed) {

    private Cell plus(PointReport point) {
      return new Cell(
          reached + point.reached(),
          injected + point.injected(),
          fired + point.fired(),
          recovered + point.recovered(),
          retried + point.retried(),
          failedClean + point.failedClean(),
          notReached + point.notReached(),
          failed + point.failed());
    }

    /** The word that colours it: the worst that came of its faults. */
    public String colour() {
      if (failed > 0) {
        return "bad";
      } else if (fired == 0) {
        return "none";
      } else if (failedClean > 0) {
        return "poor";
      }
      return retried > 0 ? "fair" : "good";
    }
  }

  private static final Cell EMPTY = new Cell(0, 0, 0, 0, 0, 0, 0, 0);

  /** Renders the page. */
  static String of(ResilienceReports.Folder folder) {
    StringOutput output = new StringOutput();
    TemplateEngine.createPrecompiled(ContentType.Html)
        .render("resilience.jte", page(folder), output);
    return output.toString();
  }

  private static ResiliencePage page(ResilienceReports.Folder folder) {
    Map<String, Map<String, Cell>> byPoint = new LinkedHashMap<>();
    TreeSet<String> operators = new TreeSet<>();
    for (ClassReport report : folder.reports()) {
      for (SweepReport sweep : report.sweeps()) {
        for (PointReport point : sweep.points()) {
          operators.add(point.operator());
          Map<String, Cell> cells =
              byPoint.computeIfAbsent(point.point(), key -> new LinkedHashMap<>());
          cells.put(point.operator(), cells.getOrDefault(point.operator(), EMPTY).plus(point));
        }
      }
    }
    List<String> columns = List.copyOf(operators);
    List<Line> lines = new ArrayList<>();
    byPoint.forEach(
        (point, cells) -> lines.add(new Line(point, columns.stream().map(cells::get).toList())));
    return new ResiliencePage(folder.reports(), columns, lines, folder.others());
  }

  /** How many invocations came out so. */
  public long count(SweepOutcome outcome) {
    return classes.stream()
        .flatMap(report -> report.sweeps().stream())
        .flatMap(sweep -> sweep.invocations().stream())
        .filter(one -> one.outcome() == outcome)
        .count();
  }

  /** Faults injected. */
  public long fired() {
    return classes.stream()
        .flatMap(report -> report.sweeps().stream())
        .flatMap(sweep -> sweep.invocations().stream())
        .mapToLong(InvocationReport::fired)
        .sum();
  }

  /** Whether a test has not injected every fault that there is. */
  public static boolean isSampled(SweepReport sweep) {
    return sweep.isSampled();
  }

  /** Invocations that a reader will want to see one by one. */
  public static List<InvocationReport> worthTelling(SweepReport sweep) {
    return sweep.invocations().stream()
        .filter(
            one ->
                one.outcome() == SweepOutcome.FAILED || one.outcome() == SweepOutcome.NOT_REACHED)
        .toList();
  }
}
