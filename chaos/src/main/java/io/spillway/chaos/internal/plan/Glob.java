package io.spillway.chaos.internal.plan;

import java.util.regex.Pattern;

/** Patterns in which {@code *} stands for any text and {@code ?} for one character. */
public final class Glob {
  private Glob() {}

  /** Compiles a pattern; it is to match a whole text. */
  public static Pattern compile(String pattern) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      switch (c) {
        case '*' -> regex.append(".*");
        case '?' -> regex.append('.');
        default -> regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  /**
   * Whether every text that the narrow pattern matches is matched by the wide one; false: unsure.
   */
  static boolean covers(String wide, String narrow) {
    boolean literal = narrow.indexOf('*') < 0 && narrow.indexOf('?') < 0;
    return wide.equals(narrow)
        || wide.equals("*")
        || (literal && compile(wide).matcher(narrow).matches());
  }
}
