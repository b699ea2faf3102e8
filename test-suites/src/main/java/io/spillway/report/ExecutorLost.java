package io.spillway.report;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An executor that did not live to the application's end.
 *
 * @param exitCode of its process; null where nobody told it
 * @param reason as it was told
 */
public record ExecutorLost(String executor, Integer exitCode, String reason) {
  private static final Pattern EXIT_CODE =
      Pattern.compile(
          "(?:exit(?:ed)?(?: with)?(?: an?)? (?:code|status)|exitCode)[ :=]*(\\d{1,3})");

  /** One of which Spark gave the reason; its exit code stands in there, if anywhere. */
  public static ExecutorLost told(String executor, String reason) {
    OptionalInt code = exitCode(reason);
    return new ExecutorLost(executor, code.isPresent() ? code.getAsInt() : null, reason);
  }

  private static OptionalInt exitCode(String reason) {
    Matcher matcher = EXIT_CODE.matcher(reason);
    return matcher.find()
        ? OptionalInt.of(Integer.parseInt(matcher.group(1)))
        : OptionalInt.empty();
  }
}
