package io.spillway.chaos.internal.plan;

import io.spillway.chaos.FaultKey;
import io.spillway.chaos.Trigger;
import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads the {@code keys} of a rule. */
final class KeyReader {
  private static final List<String> KEYS =
      List.of("label", "stage", "partition", "attempt", "stageAttempt", "call", "outsideTask");

  private KeyReader() {}

  static Trigger.Keys read(YamlSource source, Node node, String name) {
    if (!(node instanceof SequenceNode sequence) || sequence.getValue().isEmpty()) {
      throw source.problem(node, "'keys' of " + name + " must be a list with at least one key");
    }
    List<FaultKey> keys = new ArrayList<>();
    for (Node key : sequence.getValue()) {
      add(new YamlFields(source, key, "a key of " + name, KEYS), name, keys);
    }
    return new Trigger.Keys(keys);
  }

  private static void add(YamlFields fields, String name, List<FaultKey> keys) {
    List<Long> calls = fields.calls("call");
    if (fields.flag("outsideTask")) {
      for (String key : fields.keys()) {
        if (!key.equals("outsideTask") && !key.equals("call")) {
          throw fields.problem(
              key, "a key of %s: outside a task there is no '%s'".formatted(name, key));
        }
      }
      calls.forEach(call -> keys.add(FaultKey.outsideTask(call)));
      return;
    }
    String label = fields.anyText("label");
    fields.required("stage");
    int stage = (int) fields.whole("stage", Integer.MIN_VALUE, Integer.MAX_VALUE).orElseThrow();
    fields.required("partition");
    int partition = ordinal(fields, "partition");
    int attempt = ordinal(fields, "attempt");
    int stageAttempt = ordinal(fields, "stageAttempt");
    calls.forEach(
        call -> keys.add(new FaultKey(label, stage, partition, attempt, stageAttempt, call)));
  }

  private static int ordinal(YamlFields fields, String key) {
    return (int) fields.whole(key, 0, Integer.MAX_VALUE).orElse(0);
  }
}
