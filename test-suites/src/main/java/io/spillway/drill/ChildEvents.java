package io.spillway.drill;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * How a child JVM tells its parent what it is at: marked lines on standard output, which a child
 * uses for nothing else. Spark's log goes to standard error.
 */
public final class ChildEvents {
  private static final String MARK = "@drill ";

  private final PrintStream out;

  ChildEvents(PrintStream out) {
    this.out = out;
  }

  /** Events to the process's real standard output, whatever a library puts into System.out. */
  public static ChildEvents onStandardOutput() {
    return new ChildEvents(
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8));
  }

  /** Tells a person what is being done now. */
  public void progress(String text) {
    out.println(MARK + text.replace('\n', ' '));
  }

  /** The text of a progress line, or nothing when the line is something else. */
  static Optional<String> progressOf(String line) {
    return line.startsWith(MARK) ? Optional.of(line.substring(MARK.length())) : Optional.empty();
  }
}
