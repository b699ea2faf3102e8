package io.spillway.chaos;

import io.spillway.chaos.internal.dispatch.FaultEngine;
import io.spillway.chaos.internal.dispatch.PointState;
import io.spillway.chaos.internal.install.Installation;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The armed plan of this JVM, seen from inside it: what was reached and what fired. Any thread; the
 * counts stay readable after the plan was taken away.
 */
public final class ChaosController {
  private final Installation installation;
  private final FaultEngine engine;
  private final Path firedFile;

  ChaosController(Installation installation) {
    this.installation = installation;
    this.engine = installation.engine();
    this.firedFile = installation.firedFile();
  }

  /** The armed plan. */
  public FaultPlan plan() {
    return engine.plan();
  }

  /** Where the plan comes from: its file, or the setting that holds it. */
  public String planName() {
    return installation.planName();
  }

  /** When it was armed. */
  public Instant since() {
    return installation.since();
  }

  /** All points, in the catalogue's order. */
  public List<PointStatus> points() {
    return engine.points().stream().map(ChaosController::status).toList();
  }

  /** One point. */
  public PointStatus point(FaultPoint point) {
    return status(engine.point(point));
  }

  /** All rules, in the plan's order. One with no {@code fired} proves nothing. */
  public List<RuleStatus> rules() {
    return engine.rules();
  }

  /** Why everything was disarmed, for example because the report's disk is full; else empty. */
  public Optional<String> disarmed() {
    return Optional.ofNullable(engine.disarmReason());
  }

  /** Task attempts whose counts are held: 0 when no task runs. */
  public int heldAttempts() {
    return engine.tasks().heldAttempts();
  }

  /** The file with a line for each fault. */
  public Path firedFile() {
    return firedFile;
  }

  /** The file with the counts. */
  public Path pointsFile() {
    return installation.pointsFile();
  }

  Installation installation() {
    return installation;
  }

  private static PointStatus status(PointState state) {
    return new PointStatus(
        state.point(),
        state.armed(),
        state.instrumented(),
        Optional.ofNullable(state.disarmReason()),
        state.reached(),
        state.fired());
  }
}
