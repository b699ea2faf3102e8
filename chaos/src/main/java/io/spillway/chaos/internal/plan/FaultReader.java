package io.spillway.chaos.internal.plan;

import io.spillway.chaos.Fault;
import io.spillway.chaos.FaultPoint;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** Reads the fault of a rule: a name, or a name with its figure. */
final class FaultReader {
  /** The one figure of each fault that has one, with an example for messages. */
  private static final Map<String, String> FIGURES =
      Map.of(Fault.ShortGrant.ID, "share", Fault.Delay.ID, "millis");

  private static final Map<String, String> EXAMPLES =
      Map.of(
          Fault.ShortGrant.ID, "{short-grant: {share: 0.5}}",
          Fault.Delay.ID, "{delay: {millis: 200}}");

  private static final Map<String, Supplier<Fault>> PLAIN =
      Map.ofEntries(
          Map.entry(Fault.OutOfMemory.ID, Fault.OutOfMemory::new),
          Map.entry(Fault.DiskFull.ID, Fault.DiskFull::new),
          Map.entry(Fault.TaskException.ID, Fault.TaskException::new),
          Map.entry(Fault.CallError.ID, Fault.CallError::new),
          Map.entry(Fault.Kill.ID, Fault.Kill::new),
          Map.entry(Fault.Interrupt.ID, Fault.Interrupt::new),
          Map.entry(Fault.ShortWrite.ID, Fault.ShortWrite::new),
          Map.entry(Fault.TruncatedRead.ID, Fault.TruncatedRead::new),
          Map.entry(Fault.FlippedByte.ID, Fault.FlippedByte::new),
          Map.entry(Fault.FetchFailure.ID, Fault.FetchFailure::new),
          Map.entry(Fault.DamagedBlock.ID, Fault.DamagedBlock::new),
          Map.entry(Fault.Halt.ID, Fault.Halt::new),
          Map.entry(Fault.Lost.ID, Fault.Lost::new));

  private static final Pattern DESCRIBED =
      Pattern.compile("(?<id>[a-z-]+)(?:\\((?<figure>[a-z]+)=(?<value>[^)]+)\\))?");

  private FaultReader() {}

  static Fault read(YamlSource source, YamlFields rule, FaultPoint point, String name) {
    Node node = rule.required("fault");
    if (node instanceof ScalarNode scalar) {
      String id = scalar.getValue();
      checkCarried(rule, point, name, id);
      if (FIGURES.containsKey(id)) {
        throw rule.problem(
            "fault",
            "the fault '%s' of %s needs its figures, as in %s"
                .formatted(id, name, EXAMPLES.get(id)));
      }
      return plain(id);
    }
    YamlFields fault = new YamlFields(source, node, "the fault of " + name, Fault.IDS);
    if (fault.keys().size() != 1) {
      throw rule.problem("fault", "the fault of " + name + " must be exactly one");
    }
    String id = fault.keys().get(0);
    checkCarried(rule, point, name, id);
    if (!FIGURES.containsKey(id)) {
      throw rule.problem(
          "fault",
          "the fault '%s' of %s takes no figures: write fault: %s".formatted(id, name, id));
    }
    YamlFields figures =
        new YamlFields(source, fault.required(id), id + " of " + name, List.of(FIGURES.get(id)));
    return id.equals(Fault.Delay.ID) ? delay(figures) : shortGrant(figures, name);
  }

  /** Reads what {@link Fault#describe} wrote; null if it is no fault. */
  static Fault described(String text) {
    Matcher parts = DESCRIBED.matcher(text);
    if (!parts.matches() || !Fault.IDS.contains(parts.group("id"))) {
      return null;
    }
    String id = parts.group("id");
    if (!Objects.equals(FIGURES.get(id), parts.group("figure"))) {
      return null;
    }
    try {
      return switch (id) {
        case Fault.ShortGrant.ID -> new Fault.ShortGrant(Double.parseDouble(parts.group("value")));
        case Fault.Delay.ID -> new Fault.Delay(Long.parseLong(parts.group("value")));
        default -> plain(id);
      };
    } catch (IllegalArgumentException e) {
      // A figure that is no number or out of its range: the caller says which line has it.
      return null;
    }
  }

  private static Fault plain(String id) {
    Supplier<Fault> maker = PLAIN.get(id);
    if (maker == null) {
      throw new IllegalStateException("no reader for the fault " + id);
    }
    return maker.get();
  }

  private static Fault delay(YamlFields figures) {
    figures.required("millis");
    return new Fault.Delay(figures.whole("millis", 1, Fault.Delay.MOST_MILLIS).orElseThrow());
  }

  private static Fault shortGrant(YamlFields figures, String name) {
    double share = figures.number("share");
    if (!(share >= 0 && share < 1)) {
      throw figures.problem(
          "share",
          "'share' of short-grant of %s must be at least 0 and below 1, not %s"
              .formatted(name, share));
    }
    return new Fault.ShortGrant(share);
  }

  private static void checkCarried(YamlFields rule, FaultPoint point, String name, String id) {
    if (!point.faults().contains(id)) {
      String problem = Fault.IDS.contains(id) ? "cannot carry" : "knows no";
      throw rule.problem(
          "fault",
          "%s: the point %s %s fault '%s'; it can carry %s"
              .formatted(name, point.id(), problem, id, String.join(", ", point.faults())));
    }
  }
}
