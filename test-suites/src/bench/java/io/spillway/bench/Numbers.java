package io.spillway.bench;

import java.util.Locale;

/** Figures for a terminal. */
final class Numbers {
  private Numbers() {}

  /** Three digits that count, or the whole number. */
  static String text(double value) {
    double size = Math.abs(value);
    if (size >= 100 || value == Math.rint(value)) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    return String.format(Locale.ROOT, size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f", value);
  }
}
