package io.spillway.chaos;

import java.util.stream.Collectors;

/** The fault points as pages for people, made from the code that the agent runs by. */
public final class Catalogue {
  private Catalogue() {}

  /** Plain text for a terminal, one block of lines for each point. */
  public static String text() {
    StringBuilder text = new StringBuilder();
    for (FaultPoint point : FaultPoint.values()) {
      text.append(point.id()).append("  ").append(point.summary());
      text.append(point.isVerified() ? "\n" : " (unverified)\n");
      line(text, "faults", String.join(", ", point.faults()));
      line(text, "handled", point.handling());
      line(text, "calls", calls(point) + (point.namesOperator() ? ", operator known" : ""));
      point.seams().forEach(seam -> line(text, "seam", seam.toString()));
    }
    return text.toString();
  }

  /** The page {@code docs/chaos-points.md}. */
  public static String markdown() {
    StringBuilder text =
        new StringBuilder(
            """
            # Fault points

            Made from the agent's catalogue by `./spillway chaos points --markdown`; a test keeps it so.
            [What the faults do](chaos.md#faults).

            | point | what happens there | faults | who handles them | calls |
            |---|---|---|---|---|
            """);
    for (FaultPoint point : FaultPoint.values()) {
      text.append(
          "| `%s` | %s | %s | %s | %s |%n"
              .formatted(
                  point.id(),
                  point.summary()
                      + (point.namesOperator() ? " (*operator* known)" : "")
                      + (point.isVerified() ? "" : " (*unverified*)"),
                  point.faults().stream().map(Catalogue::code).collect(Collectors.joining(", ")),
                  point.handling(),
                  calls(point))
              .replace(System.lineSeparator(), "\n"));
    }
    text.append(
        """

        *Data-driven* points are reached equally often in every run with the same partitioning.
        *Demand-driven* ones depend on what other tasks hold: equally often with one task at a time
        in each executor. *Unverified*: the signature was read in the project's source, and the point
        has not been run against it.

        ## Seams

        A class whose method has another signature disarms the point, and nothing else. The shape
        is the JVM's.

        | point | method |
        |---|---|
        """);
    for (FaultPoint point : FaultPoint.values()) {
      point.seams().forEach(seam -> text.append("| `" + point.id() + "` | `" + seam + "` |\n"));
    }
    return text.toString();
  }

  private static String code(String fault) {
    return "`" + fault + "`";
  }

  private static String calls(FaultPoint point) {
    return switch (point.calls()) {
      case DATA_DRIVEN -> "data-driven";
      case DEMAND_DRIVEN -> "demand-driven";
    };
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append("    ").append(name).append(" ".repeat(9 - name.length())).append(value);
    text.append('\n');
  }
}
