package io.spillway.chaos.internal.install;

import io.spillway.chaos.FaultPlan;
import io.spillway.chaos.PlanException;
import io.spillway.chaos.internal.dispatch.Console;
import io.spillway.chaos.internal.dispatch.Dispatcher;
import io.spillway.chaos.internal.dispatch.FaultEngine;
import io.spillway.chaos.internal.report.FiredFile;
import io.spillway.chaos.internal.report.JsonObject;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * One armed plan: engine, report and changed classes, put in place together and taken away in
 * reverse order.
 */
public final class Installation implements AutoCloseable {
  private final FaultEngine engine;
  private final FiredFile firedFile;
  private final PointsReporter reporter;
  private final Instrumenter instrumenter;
  private final String planName;
  private final Instant since = Instant.now();
  private boolean closed;
  private boolean restored = true;

  private Installation(
      String planName,
      FaultEngine engine,
      FiredFile firedFile,
      PointsReporter reporter,
      Instrumenter instrumenter) {
    this.planName = planName;
    this.engine = engine;
    this.firedFile = firedFile;
    this.reporter = reporter;
    this.instrumenter = instrumenter;
  }

  /**
   * Arms a plan.
   *
   * @param planName where it comes from, for the status
   * @param out directory for the report; made if it is missing
   * @throws PlanException if the report cannot be written there; nothing is armed then
   */
  public static Installation arm(
      FaultPlan plan, String planName, Path out, Instrumentation instrumentation) {
    FiredFile firedFile = null;
    PointsReporter reporter = null;
    try {
      Files.createDirectories(out);
      long pid = ProcessHandle.current().pid();
      // A name of its own, so that nobody takes what only would have fired for what did.
      String kind = plan.mode() == FaultPlan.Mode.DRY_RUN ? "dry-" : "fired-";
      firedFile = new FiredFile(out.resolve(kind + pid + ".jsonl"));
      reporter = new PointsReporter(out.resolve("points-" + pid + ".json"));
      FaultEngine engine = new FaultEngine(plan, firedFile, reporter::reportFired);
      reporter.start(engine);
      Dispatcher.arm(engine);
      Instrumenter instrumenter = Instrumenter.install(engine, instrumentation);
      return new Installation(planName, engine, firedFile, reporter, instrumenter);
    } catch (IOException e) {
      undo(e, reporter, firedFile);
      throw new PlanException(
          AgentArgument.SOURCE, 0, "the report cannot be written to out=" + out + ": " + e, e);
    } catch (RuntimeException | Error e) {
      undo(e, reporter, firedFile);
      throw e;
    }
  }

  private static void undo(Throwable failure, PointsReporter reporter, FiredFile firedFile) {
    Dispatcher.arm(null);
    closeAfter(failure, reporter);
    closeAfter(failure, firedFile);
  }

  private static void closeAfter(Throwable failure, AutoCloseable resource) {
    try {
      if (resource != null) {
        resource.close();
      }
    } catch (Exception e) {
      failure.addSuppressed(e);
    }
  }

  /** The engine that decides. */
  public FaultEngine engine() {
    return engine;
  }

  /** Where the plan comes from. */
  public String planName() {
    return planName;
  }

  /** When it was armed. */
  public Instant since() {
    return since;
  }

  /** Where each fault is written down. */
  public Path firedFile() {
    return firedFile.path();
  }

  /** Where the counts are. */
  public Path pointsFile() {
    return reporter.path();
  }

  /** Plan, counts and files as JSON, for who asks from outside. */
  public JsonObject status() {
    return Counts.of(engine)
        .put("plan", planName)
        .put("since", since.toString())
        .put("firedFile", firedFile.path().toAbsolutePath().toString())
        .put("pointsFile", reporter.path().toAbsolutePath().toString());
  }

  /** Whether every class got its own code back; true until this is closed. */
  public synchronized boolean restored() {
    return restored;
  }

  /** Un-instruments everything and writes the last counts. Idempotent. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    Dispatcher.arm(null);
    restored = instrumenter.uninstall();
    reporter.close();
    try {
      firedFile.close();
    } catch (IOException e) {
      Console.say("closing " + firedFile.path() + " failed: " + e);
    }
  }
}
