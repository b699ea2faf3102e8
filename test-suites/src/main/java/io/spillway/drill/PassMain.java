package io.spillway.drill;

import io.spillway.report.Json;
import java.io.IOException;
import java.nio.file.Path;

/** Entry point of a pass's child JVM. The only argument is the file with the {@link PassSpec}. */
public final class PassMain {
  private PassMain() {}

  /** Runs the pass; a failure of a query is part of its outcome, anything else ends the JVM. */
  public static void main(String[] arguments) throws IOException {
    PassSpec spec = Json.read(Path.of(arguments[0]), PassSpec.class);
    PassOutcome outcome = new PassRunner(spec, ChildEvents.onStandardOutput()).run();
    Json.write(Path.of(spec.outcome()), outcome);
    // Threads of a library must not keep a finished pass alive.
    System.exit(0);
  }
}
