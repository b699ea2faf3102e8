package io.spillway.report;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes in bytes as people write and read them: {@code 4m}, {@code 512 KiB}. */
public final class ByteSize {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,12})\\s*([kmgt]?)(?:i?b)?");
  private static final long KIB = 1024;

  private ByteSize() {}

  /**
   * Reads a size; a bare number is in bytes.
   *
   * @throws IllegalArgumentException when the text is no size
   */
  public static long parseBytes(String text) {
    Matcher matcher = TEXT.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a size such as 4m or 512k");
    }
    long bytes = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "k" -> Math.multiplyExact(bytes, KIB);
      case "m" -> Math.multiplyExact(bytes, KIB * KIB);
      case "g" -> Math.multiplyExact(bytes, KIB * KIB * KIB);
      case "t" -> Math.multiplyExact(bytes, KIB * KIB * KIB * KIB);
      default -> bytes;
    };
  }

  /** A size with at most one decimal and the largest unit that leaves a number of one or more. */
  public static String format(long bytes) {
    if (Math.abs(bytes) < KIB) {
      return bytes + " B";
    }
    double value = bytes;
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    while (Math.abs(value) >= KIB && unit < units.length - 1) {
      value /= KIB;
      unit++;
    }
    return String.format(Locale.ROOT, value >= 100 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  }
}
