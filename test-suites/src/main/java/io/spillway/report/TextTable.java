package io.spillway.report;

import java.util.List;

/** Rows of cells for a terminal. Stateless. */
public final class TextTable {
  private TextTable() {}

  /**
   * Columns as wide as their widest cell, two blanks apart.
   *
   * @param rows all of one length, the head first
   * @param left how many of the first columns stand flush left; the others stand flush right
   */
  public static String of(List<List<String>> rows, int left) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String pad = " ".repeat(widths[i] - row.get(i).length());
        line.append(i == 0 ? "" : "  ");
        line.append(i < left ? row.get(i) + pad : pad + row.get(i));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
