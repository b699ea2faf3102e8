package io.spillway.chaos.internal.plan;

/**
 * A pattern in which {@code *} stands for any text and {@code ?} for one character. Matching takes
 * time in proportion to pattern times text, whatever stars are in it: it is done at calls of a
 * running job, where a regular expression of a few stars could take hours. Immutable; any thread.
 */
public final class Glob {
  private final int[] pattern;

  private Glob(String pattern) {
    this.pattern = pattern.codePoints().toArray();
  }

  /** Takes a pattern. */
  public static Glob of(String pattern) {
    return new Glob(pattern);
  }

  /** Whether the whole text is matched. */
  public boolean matches(String text) {
    int at = 0;
    int next = 0;
    int star = -1;
    int afterStar = 0;
    while (at < text.length()) {
      int character = text.codePointAt(at);
      if (next < pattern.length && pattern[next] == '*') {
        star = next++;
        afterStar = at;
      } else if (next < pattern.length && (pattern[next] == '?' || pattern[next] == character)) {
        next++;
        at += Character.charCount(character);
      } else if (star >= 0) {
        // Only the last star need take more: what an earlier one could take, it can take too.
        next = star + 1;
        afterStar += Character.charCount(text.codePointAt(afterStar));
        at = afterStar;
      } else {
        return false;
      }
    }
    while (next < pattern.length && pattern[next] == '*') {
      next++;
    }
    return next == pattern.length;
  }

  /**
   * Whether every text that the narrow pattern matches is matched by the wide one; false: unsure.
   */
  static boolean covers(String wide, String narrow) {
    boolean literal = narrow.indexOf('*') < 0 && narrow.indexOf('?') < 0;
    return wide.equals(narrow) || wide.equals("*") || (literal && of(wide).matches(narrow));
  }
}
