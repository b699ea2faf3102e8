package io.spillway.chaos.internal.install;

import io.spillway.chaos.FaultPlan;
import io.spillway.chaos.RuleStatus;
import io.spillway.chaos.internal.dispatch.FaultEngine;
import io.spillway.chaos.internal.dispatch.PointState;
import io.spillway.chaos.internal.report.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** The counts of an armed plan as JSON: for the points file and for who asks for the status. */
final class Counts {
  private Counts() {}

  static JsonObject of(FaultEngine engine) {
    List<JsonObject> points = new ArrayList<>();
    for (PointState state : engine.points()) {
      points.add(
          new JsonObject()
              .put("name", state.point().id())
              .put("armed", state.armed())
              .put("instrumented", state.instrumented())
              .put("reason", state.disarmReason())
              .put("reached", state.reached())
              .put("fired", state.fired()));
    }
    List<JsonObject> rules = new ArrayList<>();
    for (RuleStatus rule : engine.rules()) {
      rules.add(
          new JsonObject()
              .put("rule", rule.rule())
              .put("point", rule.point().id())
              .put("fault", rule.fault())
              .put("fired", rule.fired())
              .put("limited", rule.limited()));
    }
    return new JsonObject()
        .put("pid", ProcessHandle.current().pid())
        .put("executor", engine.tasks().executor())
        .put("seed", engine.plan().seed())
        .put("mode", engine.plan().mode() == FaultPlan.Mode.DRY_RUN ? "dry-run" : null)
        .put("disarmed", engine.disarmReason())
        .put("points", points)
        .put("rules", rules);
  }
}
