package io.spillway.chaos.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class GlobTest {
  private static final long SEED = 20260301;

  @Test
  void shouldMatchAsARegularExpressionDoesWhenPatternsAndTextsAreRandom() {
    Random random = new Random(SEED);
    int matched = 0;
    for (int i = 0; i < 50_000; i++) {
      String pattern = text(random, "ab*?*\ud83d\ude00".codePoints().toArray());
      String text = text(random, "ab\n\ud83d\ude00".codePoints().toArray());
      boolean expected = asRegularExpression(pattern).matcher(text).matches();
      assertThat(Glob.of(pattern).matches(text))
          .as("seed %d: '%s' on '%s'", SEED, pattern, text)
          .isEqualTo(expected);
      matched += expected ? 1 : 0;
    }
    assertThat(matched).as("cases on both sides").isBetween(5_000, 45_000);
  }

  private static String text(Random random, int[] alphabet) {
    StringBuilder text = new StringBuilder();
    for (int length = random.nextInt(6); length > 0; length--) {
      text.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
    }
    return text.toString();
  }

  private static Pattern asRegularExpression(String pattern) {
    StringBuilder regex = new StringBuilder();
    pattern
        .codePoints()
        .forEach(
            c ->
                regex.append(
                    c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(Character.toString(c))));
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  @Test
  void shouldTakeNoTimeWhenManyStarsMatchNothing() {
    Glob pattern = Glob.of("*a".repeat(40) + "b");
    String text = "a".repeat(20_000);
    // A regular expression tries more ways than there are nanoseconds.
    boolean matches =
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(60), () -> pattern.matches(text));
    assertThat(matches).isFalse();
  }

  @Test
  void shouldCoverALiteralWhenItIsMatched() {
    assertThat(Glob.covers("q*", "q12")).isTrue();
    assertThat(Glob.covers("q*", "r12")).isFalse();
    assertThat(Glob.covers("q*", "q?2")).as("unsure").isFalse();
    assertThat(Glob.covers("*", "q?2")).isTrue();
  }
}
