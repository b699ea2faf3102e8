package io.spillway.chaos.internal.plan;

import io.spillway.chaos.Fault;
import io.spillway.chaos.FaultKey;
import io.spillway.chaos.FaultPlan;
import io.spillway.chaos.FaultRule;
import io.spillway.chaos.Limits;
import io.spillway.chaos.Scope;
import io.spillway.chaos.TimeWindow;
import io.spillway.chaos.Trigger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/** Writes a plan as YAML that reads back as an equal plan. What is at its default is left out. */
public final class PlanWriter {
  private PlanWriter() {}

  /** The plan as block-style YAML, with a line end at its end. */
  public static String write(FaultPlan plan) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("version", 1);
    root.put("seed", plan.seed());
    plan.environment().ifPresent(environment -> root.put("environment", environment));
    plan.killSwitch().ifPresent(file -> root.put("killSwitch", file.toString()));
    if (plan.mode() == FaultPlan.Mode.DRY_RUN) {
      root.put("dryRun", true);
    }
    List<Object> rules = new ArrayList<>();
    plan.rules().forEach(rule -> rules.add(rule(rule)));
    root.put("rules", rules);
    DumpSettings settings =
        DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).setSplitLines(false).build();
    return new Dump(settings).dumpToString(root);
  }

  private static Map<String, Object> rule(FaultRule rule) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("point", rule.point().id());
    map.put("fault", fault(rule.fault()));
    map.put("when", when(rule.when()));
    Map<String, Object> where =
        rule.when() instanceof Trigger.Keys ? Map.of() : where(rule.where());
    if (!where.isEmpty()) {
      map.put("where", where);
    }
    Map<String, Object> limits = limits(rule.limits(), rule.when());
    if (!limits.isEmpty()) {
      map.put("limits", limits);
    }
    return map;
  }

  private static Map<String, Object> limits(Limits limits, Trigger when) {
    Map<String, Object> map = new LinkedHashMap<>();
    // Written where it is the default, too: how often a rule may fire should be seen.
    if (!(when instanceof Trigger.Keys) || limits.perTask() != Limits.NONE.perTask()) {
      map.put("perTask", limits.perTask());
    }
    if (limits.total() != Limits.NONE.total()) {
      map.put("total", limits.total());
    }
    if (limits.perMinute() != Limits.NONE.perMinute()) {
      map.put("perMinute", limits.perMinute());
    }
    TimeWindow window = limits.window();
    if (!window.equals(TimeWindow.ALWAYS)) {
      map.put("fromSeconds", window.fromSeconds());
      if (window.toSeconds() != TimeWindow.ALWAYS.toSeconds()) {
        map.put("toSeconds", window.toSeconds());
      }
    }
    return map;
  }

  private static Object fault(Fault fault) {
    if (fault instanceof Fault.ShortGrant grant) {
      return Map.of(Fault.ShortGrant.ID, Map.of("share", grant.share()));
    } else if (fault instanceof Fault.Delay delay) {
      return Map.of(Fault.Delay.ID, Map.of("millis", delay.millis()));
    }
    return fault.id();
  }

  private static Map<String, Object> when(Trigger when) {
    if (when instanceof Trigger.Nth nth) {
      return Map.of("nth", nth.call());
    } else if (when instanceof Trigger.Every every) {
      return Map.of("every", every.calls());
    } else if (when instanceof Trigger.From from) {
      return Map.of("from", from.call());
    } else if (when instanceof Trigger.AfterSeconds after) {
      return Map.of("afterSeconds", after.seconds());
    } else if (when instanceof Trigger.Keys keys) {
      return Map.of("keys", keys(keys.keys()));
    }
    return Map.of("probability", ((Trigger.Probability) when).share());
  }

  /**
   * Calls of one attempt in a row are one key with a list, or a replay would be too long to arm.
   */
  private static List<Map<String, Object>> keys(List<FaultKey> keys) {
    List<Map<String, Object>> written = new ArrayList<>();
    List<Long> calls = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      FaultKey key = keys.get(i);
      calls.add(key.call());
      if (i + 1 == keys.size() || !key.isOfAttemptOf(keys.get(i + 1))) {
        Map<String, Object> map = attempt(key);
        map.put("call", calls.size() == 1 ? calls.get(0) : List.copyOf(calls));
        written.add(map);
        calls.clear();
      }
    }
    return written;
  }

  private static Map<String, Object> attempt(FaultKey key) {
    Map<String, Object> map = new LinkedHashMap<>();
    if (key.isOutsideTask()) {
      map.put("outsideTask", true);
    } else {
      map.put("label", key.label());
      map.put("stage", key.stage());
      map.put("partition", key.partition());
      map.put("attempt", key.attempt());
      if (key.stageAttempt() != 0) {
        map.put("stageAttempt", key.stageAttempt());
      }
    }
    return map;
  }

  private static Map<String, Object> where(Scope where) {
    Map<String, Object> map = new LinkedHashMap<>();
    where.label().ifPresent(label -> map.put("label", label));
    if (!where.stages().isEmpty()) {
      map.put("stage", where.stages());
    }
    if (!where.partitions().isEmpty()) {
      map.put("partition", where.partitions());
    }
    if (where.attempt().isEmpty()) {
      map.put("attempts", "all");
    } else if (where.attempt().getAsInt() != 0) {
      map.put("attempt", where.attempt().getAsInt());
    }
    where.operator().ifPresent(operator -> map.put("operator", operator));
    if (where.outsideTask()) {
      map.put("outsideTask", true);
    }
    where.place().application().ifPresent(application -> map.put("application", application));
    where.place().host().ifPresent(host -> map.put("host", host));
    where.place().executor().ifPresent(executor -> map.put("executor", executor));
    return map;
  }
}
