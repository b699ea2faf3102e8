package io.spillway.report;

import io.spillway.plugin.ExitCode;
import java.util.OptionalInt;

/**
 * An executor that did not live to the application's end.
 *
 * @param exitCode of its process; null where nobody told it
 * @param reason as it was told
 */
public record ExecutorLost(String executor, Integer exitCode, String reason) {
  /** One of which Spark gave the reason; its exit code stands in there, if anywhere. */
  public static ExecutorLost told(String executor, String reason) {
    OptionalInt code = ExitCode.in(reason);
    return new ExecutorLost(executor, code.isPresent() ? code.getAsInt() : null, reason);
  }
}
