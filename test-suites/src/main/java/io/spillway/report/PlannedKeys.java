package io.spillway.report;

import io.spillway.chaos.FaultKey;
import io.spillway.chaos.FaultPlan;
import io.spillway.chaos.FaultRule;
import io.spillway.chaos.PlanException;
import io.spillway.chaos.Trigger;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The calls that plans name one by one, as a replay does. Stateless. */
final class PlannedKeys {
  private PlannedKeys() {}

  /**
   * Those that did not fire.
   *
   * @param plans as YAML
   */
  static List<String> notFired(Collection<String> plans, Collection<FiredFault> fired) {
    Set<String> happened = fired.stream().map(FiredFault::key).collect(Collectors.toSet());
    Set<String> planned = new TreeSet<>();
    for (String yaml : plans) {
      planned.addAll(keys(yaml));
    }
    planned.removeAll(happened);
    return List.copyOf(planned);
  }

  private static Set<String> keys(String yaml) {
    Set<String> keys = new TreeSet<>();
    try {
      for (FaultRule rule : FaultPlan.recorded("the armed plan", yaml).rules()) {
        if (rule.when() instanceof Trigger.Keys named) {
          named.keys().forEach(key -> keys.add(text(rule, key)));
        }
      }
      return keys;
    } catch (PlanException e) {
      throw new RecordException("the plan that an agent wrote down cannot be read: " + e, e);
    }
  }

  private static String text(FaultRule rule, FaultKey key) {
    return FiredFault.key(
        key.label(),
        key.stage(),
        key.stageAttempt(),
        key.partition(),
        key.attempt(),
        rule.point().id(),
        key.call(),
        rule.fault().describe());
  }
}
