package io.spillway.plugin;

import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The exit code of an executor's process, as cluster managers write it into a reason. Stateless.
 */
public final class ExitCode {
  private static final Pattern WRITTEN =
      Pattern.compile(
          "exit(?:ed)?(?: with)?(?: an?)? ?(?:code|status)(?: is)?[ :=]*(\\d{1,3})",
          Pattern.CASE_INSENSITIVE);

  /** 128 and the signals with which a process ends by its own code: ILL, ABRT, BUS, FPE, SEGV. */
  private static final Set<Integer> CRASHES = Set.of(132, 134, 135, 136, 139);

  private ExitCode() {}

  /** The code in a reason; empty if none is told. */
  public static OptionalInt in(String reason) {
    Matcher matcher = WRITTEN.matcher(reason);
    return matcher.find()
        ? OptionalInt.of(Integer.parseInt(matcher.group(1)))
        : OptionalInt.empty();
  }

  /** Whether a reason tells of native code that crashed; a kill from outside is none. */
  static boolean isCrash(String reason) {
    OptionalInt code = in(reason);
    return code.isPresent() && CRASHES.contains(code.getAsInt());
  }
}
