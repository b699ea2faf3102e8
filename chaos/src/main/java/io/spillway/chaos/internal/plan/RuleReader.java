package io.spillway.chaos.internal.plan;

import io.spillway.chaos.Fault;
import io.spillway.chaos.FaultPoint;
import io.spillway.chaos.FaultRule;
import io.spillway.chaos.Limits;
import io.spillway.chaos.Place;
import io.spillway.chaos.Scope;
import io.spillway.chaos.TimeWindow;
import io.spillway.chaos.Trigger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads one rule of a plan. */
final class RuleReader {
  private static final List<String> KEYS = List.of("point", "fault", "when", "where", "limits");
  private static final List<String> WHEN =
      List.of("nth", "every", "from", "probability", "afterSeconds", "keys");
  private static final List<String> WHERE =
      List.of(
          "label",
          "stage",
          "partition",
          "attempt",
          "attempts",
          "operator",
          "outsideTask",
          "application",
          "host",
          "executor");

  /** What can be asked of a call outside any task. */
  private static final Set<String> OUTSIDE =
      Set.of("outsideTask", "operator", "application", "host", "executor");

  private static final List<String> LIMITS =
      List.of("perTask", "total", "perMinute", "fromSeconds", "toSeconds");

  private RuleReader() {}

  static FaultRule read(YamlSource source, Node node, String name) {
    YamlFields rule = new YamlFields(source, node, name, KEYS);
    rule.required("point");
    String id = rule.text("point").orElseThrow();
    FaultPoint point =
        FaultPoint.byId(id)
            .orElseThrow(
                () ->
                    rule.problem(
                        "point",
                        "%s has the unknown point '%s'; the points are %s"
                            .formatted(name, id, FaultPoint.ids())));
    Fault fault = FaultReader.read(source, rule, point, name);
    Trigger when = when(source, rule.required("when"), name);
    boolean keyed = when instanceof Trigger.Keys;
    if (keyed && rule.has("where")) {
      throw rule.problem("where", name + " has 'where' beside 'keys': the keys say where");
    }
    Scope where = keyed ? Scope.ALL_ATTEMPTS : where(source, rule.node("where"), point, name);
    Limits limits = limits(source, rule.node("limits"), name, keyed ? Limits.NONE : absent(fault));
    Optional<NeverFires.Problem> never = NeverFires.problem(point, when, where, limits);
    if (never.isPresent()) {
      throw rule.problem(never.get().part(), name + ": " + never.get().text());
    }
    return new FaultRule(point, fault, when, where, limits);
  }

  /** An application that loses executor after executor does not finish: one, unless it says so. */
  private static Limits absent(Fault fault) {
    return fault instanceof Fault.Halt ? new Limits(1, 1) : Limits.DEFAULT;
  }

  private static Trigger when(YamlSource source, Node node, String name) {
    YamlFields when = new YamlFields(source, node, "'when' of " + name, WHEN);
    if (when.keys().size() != 1) {
      throw when.problem(
          "'when' of %s must have exactly one of %s".formatted(name, String.join(", ", WHEN)));
    }
    String key = when.keys().get(0);
    if (key.equals("keys")) {
      return KeyReader.read(source, when.required(key), name);
    } else if (key.equals("probability")) {
      double share = when.number(key);
      if (!(share > 0 && share <= 1)) {
        throw when.problem(
            key,
            "'probability' of %s must be above 0 and at most 1, not %s".formatted(name, share));
      }
      return new Trigger.Probability(share);
    }
    long number = when.whole(key, 1, Long.MAX_VALUE).orElseThrow();
    return switch (key) {
      case "nth" -> new Trigger.Nth(number);
      case "every" -> new Trigger.Every(number);
      case "afterSeconds" -> new Trigger.AfterSeconds(number);
      default -> new Trigger.From(number);
    };
  }

  private static Scope where(
      YamlSource source, Optional<Node> node, FaultPoint point, String name) {
    if (node.isEmpty()) {
      return Scope.FIRST_ATTEMPTS;
    }
    String what = "'where' of " + name;
    YamlFields where = new YamlFields(source, node.get(), what, WHERE);
    boolean outsideTask = where.flag("outsideTask");
    if (outsideTask) {
      for (String key : where.keys()) {
        if (!OUTSIDE.contains(key)) {
          throw where.problem(key, "%s: outside a task there is no '%s'".formatted(what, key));
        }
      }
    }
    Optional<String> operator = where.text("operator");
    if (operator.isPresent() && !point.namesOperator()) {
      throw where.problem(
          "operator", "%s: the point %s does not know its operator".formatted(what, point.id()));
    }
    return new Scope(
        where.text("label"),
        where.ordinals("stage"),
        where.ordinals("partition"),
        attempt(where, what),
        operator,
        outsideTask,
        new Place(where.text("application"), where.text("host"), where.text("executor")));
  }

  private static OptionalInt attempt(YamlFields where, String what) {
    Optional<String> attempts = where.text("attempts");
    if (attempts.isEmpty()) {
      return OptionalInt.of((int) where.whole("attempt", 0, Integer.MAX_VALUE).orElse(0));
    }
    if (where.has("attempt")) {
      throw where.problem("attempt", what + " has both 'attempt' and 'attempts': give one");
    }
    return switch (attempts.get()) {
      case "all" -> OptionalInt.empty();
      case "first" -> OptionalInt.of(0);
      default ->
          throw where.problem(
              "attempts",
              "'attempts' of %s must be first or all, not '%s'".formatted(what, attempts.get()));
    };
  }

  private static Limits limits(YamlSource source, Optional<Node> node, String name, Limits absent) {
    if (node.isEmpty()) {
      return absent;
    }
    YamlFields limits = new YamlFields(source, node.get(), "'limits' of " + name, LIMITS);
    long fromSeconds = limits.whole("fromSeconds", 0, Long.MAX_VALUE).orElse(0);
    long toSeconds = limits.whole("toSeconds", 1, Long.MAX_VALUE).orElse(Long.MAX_VALUE);
    if (toSeconds <= fromSeconds) {
      throw limits.problem(
          "toSeconds",
          "'toSeconds' of 'limits' of %s must be above 'fromSeconds', %d, and is %d"
              .formatted(name, fromSeconds, toSeconds));
    }
    return new Limits(
        limits.whole("perTask", 1, Long.MAX_VALUE).orElse(absent.perTask()),
        limits.whole("total", 1, Long.MAX_VALUE).orElse(absent.total()),
        limits.whole("perMinute", 1, Long.MAX_VALUE).orElse(absent.perMinute()),
        new TimeWindow(fromSeconds, toSeconds));
  }
}
