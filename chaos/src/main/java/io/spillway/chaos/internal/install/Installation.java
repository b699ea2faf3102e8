package io.spillway.chaos.internal.install;

import io.spillway.chaos.FaultPlan;
import io.spillway.chaos.FaultPoint;
import io.spillway.chaos.FaultRule;
import io.spillway.chaos.PlanException;
import io.spillway.chaos.internal.dispatch.Console;
import io.spillway.chaos.internal.dispatch.Dispatcher;
import io.spillway.chaos.internal.dispatch.FaultEngine;
import io.spillway.chaos.internal.dispatch.PointState;
import io.spillway.chaos.internal.report.JsonObject;
import io.spillway.chaos.internal.report.LineFile;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;

/**
 * One armed plan at a time: engine, report and changed classes, put in place together and taken
 * away in reverse order.
 */
public final class Installation implements AutoCloseable {
  private final Path out;
  private final Set<FaultPoint> changed;
  private final LineFile attemptsFile;
  private final PointsReporter reporter;
  private final JvmReporter jvm;
  private final Instrumenter instrumenter;
  private final String planName;
  private final Instant since = Instant.now();
  private volatile FaultEngine engine;
  private volatile LineFile firedFile;
  private boolean closed;
  private boolean restored = true;

  private Installation(
      Path out,
      String planName,
      FaultEngine engine,
      LineFile firedFile,
      LineFile attemptsFile,
      PointsReporter reporter,
      JvmReporter jvm,
      Instrumenter instrumenter) {
    this.out = out;
    this.planName = planName;
    this.engine = engine;
    this.changed = armedPoints(engine);
    this.firedFile = firedFile;
    this.attemptsFile = attemptsFile;
    this.reporter = reporter;
    this.jvm = jvm;
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
    LineFile firedFile = null;
    LineFile attemptsFile = null;
    PointsReporter reporter = null;
    JvmReporter jvm = null;
    try {
      Files.createDirectories(out);
      long pid = ProcessHandle.current().pid();
      EarlierFiles.setAside(out, pid);
      firedFile = new LineFile(firedPath(out, plan));
      reporter = new PointsReporter(out.resolve("points-" + pid + ".json"));
      attemptsFile = new LineFile(out.resolve("attempts-" + pid + ".jsonl"));
      jvm = new JvmReporter(out, pid);
      FaultEngine engine = new FaultEngine(plan, firedFile, attemptsFile, reporter::reportFired);
      reporter.start(engine);
      jvm.start(engine);
      Dispatcher.arm(engine);
      Instrumenter instrumenter = Instrumenter.install(engine, instrumentation);
      return new Installation(
          out, planName, engine, firedFile, attemptsFile, reporter, jvm, instrumenter);
    } catch (IOException e) {
      undo(e, jvm, reporter, attemptsFile, firedFile);
      throw new PlanException(
          AgentArgument.SOURCE, 0, "the report cannot be written to out=" + out + ": " + e, e);
    } catch (RuntimeException | Error e) {
      undo(e, jvm, reporter, attemptsFile, firedFile);
      throw e;
    }
  }

  /** A name of its own for a dry run: nobody must take what only would have fired for what did. */
  private static Path firedPath(Path out, FaultPlan plan) {
    String kind = plan.mode() == FaultPlan.Mode.DRY_RUN ? "dry-" : "fired-";
    return out.resolve(kind + ProcessHandle.current().pid() + ".jsonl");
  }

  private static Set<FaultPoint> armedPoints(FaultEngine engine) {
    Set<FaultPoint> armed = EnumSet.noneOf(FaultPoint.class);
    engine.points().stream().filter(PointState::armed).map(PointState::point).forEach(armed::add);
    return armed;
  }

  /**
   * Puts another plan in the armed one's place. The classes stay as they are, so it takes no time.
   *
   * @throws IllegalArgumentException if it names a point that was not armed at first
   * @throws IllegalStateException if nothing is armed any more
   * @throws PlanException if the report cannot be written; the plan before stays armed then
   */
  public synchronized void rearm(FaultPlan plan) {
    if (closed) {
      throw new IllegalStateException("nothing is armed in this JVM any more");
    }
    for (FaultRule rule : plan.rules()) {
      if (!changed.contains(rule.point())) {
        throw new IllegalArgumentException(
            "the plan names the point %s, and the one armed first did not: detach it and arm anew"
                .formatted(rule.point().id()));
      }
    }
    LineFile before = firedFile;
    LineFile after = before;
    try {
      Path path = firedPath(out, plan);
      if (!path.equals(before.path())) {
        after = new LineFile(path);
      }
    } catch (IOException e) {
      throw new PlanException(
          AgentArgument.SOURCE, 0, "the report cannot be written to out=" + out + ": " + e, e);
    }
    FaultEngine next = engine.next(plan, after, attemptsFile);
    reporter.replace(next);
    jvm.replace(next);
    Dispatcher.arm(next);
    engine = next;
    firedFile = after;
    if (after != before) {
      // A fault that was being decided meanwhile disarms the engine that is gone, and passes.
      close(before.path().toString(), before);
    }
  }

  private static void undo(Throwable failure, AutoCloseable... opened) {
    Dispatcher.arm(null);
    for (AutoCloseable resource : opened) {
      try {
        if (resource != null) {
          resource.close();
        }
      } catch (Exception e) {
        failure.addSuppressed(e);
      }
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
    restored = false;
    close("the instrumentation", () -> restored = instrumenter.uninstall());
    close("the counts", reporter);
    close("the memory samples", jvm);
    close(attemptsFile.path().toString(), attemptsFile);
    close(firedFile.path().toString(), firedFile);
  }

  private static void close(String what, AutoCloseable file) {
    try {
      file.close();
    } catch (Exception e) {
      Console.say("closing " + what + " failed: " + e);
    }
  }
}
