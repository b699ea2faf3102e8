package io.spillway.plan;

import io.spillway.expression.Functions;
import io.spillway.expression.Functions.Entry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The page {@code docs/expressions.md}: which expressions and aggregate functions run natively. */
public final class ExpressionPage {
  private static final String HEAD =
      """
      # Expressions and aggregate functions

      What Spillway's operators compute natively, exactly as Spark does: nulls, NaN, overflow and \
      rounding included. This page is made from the code; a test holds it to that.

      An operator with any other expression in it stays on the JVM, and `explain()` says which one \
      it was. Types: boolean, the whole numbers, float, double, decimal, string, binary, date and \
      both timestamps; arrays, maps, structs, intervals and user-defined types stay on the JVM.

      "By Spark's code" means that the operator is native, but hands those values to Spark's own \
      expression, row by row: the result is Spark's by construction, and the columns around it stay \
      native. Such a value may be computed in a branch that Spark would not have taken, which shows \
      only where it fails: a date beyond the year 5,879,610.
      """;

  private ExpressionPage() {}

  /** The page as it must stand in the documentation. */
  public static String markdown() {
    List<Entry> entries = new ArrayList<>(Functions.entries());
    entries.addAll(AggregateFunctions.entries());
    Map<String, List<Entry>> groups = new LinkedHashMap<>();
    for (Entry entry : entries) {
      groups.computeIfAbsent(entry.group(), group -> new ArrayList<>()).add(entry);
    }
    StringBuilder page = new StringBuilder(HEAD);
    groups.forEach(
        (group, lines) -> {
          page.append("\n## ").append(group).append("\n\n| function | natively |\n|---|---|\n");
          for (Entry line : lines) {
            page.append("| `")
                .append(line.sql().replace("|", "\\|"))
                .append("` | ")
                .append(line.remark().isEmpty() ? "always" : line.remark())
                .append(" |\n");
          }
        });
    return page.toString();
  }
}
