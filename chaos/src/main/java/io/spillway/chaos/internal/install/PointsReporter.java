package io.spillway.chaos.internal.install;

import io.spillway.chaos.internal.dispatch.Console;
import io.spillway.chaos.internal.dispatch.FaultEngine;
import io.spillway.chaos.internal.report.PointsFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the points file up to date: at each fault, about each second while counts change, and at
 * the JVM's exit. A JVM that is killed loses the last second's reached counts.
 */
final class PointsReporter implements AutoCloseable {
  private static final long PERIOD_MILLIS = 1000;

  private final PointsFile file;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "spillway-chaos-points");
            thread.setDaemon(true);
            return thread;
          });
  private final Thread atExit = new Thread(this::report, "spillway-chaos-exit");
  private volatile FaultEngine engine;
  private volatile boolean complained;

  PointsReporter(Path path) {
    this.file = new PointsFile(path);
  }

  Path path() {
    return file.path();
  }

  /**
   * Writes the file for the first time and keeps it up to date from now on.
   *
   * @throws IOException if it cannot be written
   */
  void start(FaultEngine armed) throws IOException {
    engine = armed;
    file.write(() -> text(armed));
    Runtime.getRuntime().addShutdownHook(atExit);
    var unused =
        timer.scheduleWithFixedDelay(
            this::report, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Reports another engine's counts from now on. */
  void replace(FaultEngine next) {
    engine = next;
  }

  /** A fault has been counted. Runs on the thread that gets it. */
  void reportFired() {
    report();
  }

  /**
   * Whatever goes wrong here, a full heap included, is the report's business: it must neither end
   * the timer nor keep a fault that is written down already from being injected.
   */
  private void report() {
    try {
      file.write(() -> text(engine));
    } catch (IOException | RuntimeException | Error e) {
      if (!complained) {
        complained = true;
        Console.say("the counts cannot be written to " + file.path() + ": " + e);
      }
    }
  }

  private static String text(FaultEngine engine) {
    return Counts.of(engine) + "\n";
  }

  /** Stops the timer and writes the last counts. */
  @Override
  public void close() {
    timer.shutdownNow();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The JVM is going down already: the hook writes the last counts too.
    }
    if (engine != null) {
      report();
    }
  }
}
