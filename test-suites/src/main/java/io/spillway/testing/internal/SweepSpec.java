package io.spillway.testing.internal;

import io.spillway.chaos.Fault;
import io.spillway.chaos.FaultPoint;
import io.spillway.testing.FaultSweep;
import io.spillway.testing.SweepMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * What a {@link FaultSweep} asks for, checked before anything runs: what could never inject a fault
 * would pass for tested.
 *
 * @param points with the faults of each, in the annotation's order
 * @param required points that the job must come to
 * @param modes each once
 */
record SweepSpec(
    Map<FaultPoint, List<Fault>> points, Set<FaultPoint> required, List<SweepMode> modes) {

  static SweepSpec of(FaultSweep sweep) {
    if (sweep.max() < 1 || sweep.sample() < 0 || sweep.sample() > sweep.max()) {
      throw new ExtensionConfigurationException(
          "@FaultSweep has max=%d and sample=%d: max must be at least 1, and sample between 0 and max"
              .formatted(sweep.max(), sweep.sample()));
    }
    List<SweepMode> modes = Arrays.stream(sweep.mode()).distinct().toList();
    if (modes.isEmpty()) {
      throw new ExtensionConfigurationException(
          "@FaultSweep has no mode, so that no fault would be injected: name one, or leave it out");
    }
    Set<FaultPoint> named = EnumSet.noneOf(FaultPoint.class);
    named.addAll(Arrays.asList(sweep.point()));
    named.forEach(Faults::checkSafe);
    Set<FaultPoint> required = EnumSet.copyOf(named);
    for (FaultPoint rare : sweep.rare()) {
      if (!required.remove(rare)) {
        throw new ExtensionConfigurationException(
            "@FaultSweep names %s as rare, and not as a point: that has no effect"
                .formatted(rare.id()));
      }
    }
    return new SweepSpec(points(sweep, named), required, modes);
  }

  private static Map<FaultPoint, List<Fault>> points(FaultSweep sweep, Set<FaultPoint> named) {
    Set<FaultPoint> all = named.isEmpty() ? Faults.safePoints() : named;
    for (String fault : sweep.fault()) {
      if (all.stream().noneMatch(point -> Faults.carries(point, fault))) {
        throw new ExtensionConfigurationException(
            "@FaultSweep has the fault '%s', and none of its points can carry it: %s"
                .formatted(fault, carried(all)));
      }
    }
    Map<FaultPoint, List<Fault>> faults = new EnumMap<>(FaultPoint.class);
    for (FaultPoint point : all) {
      List<Fault> here = faultsAt(point, sweep.fault());
      if (!here.isEmpty()) {
        faults.put(point, here);
      } else if (named.contains(point)) {
        throw new ExtensionConfigurationException(
            "@FaultSweep names the point %s, which can carry none of its faults %s, only %s"
                .formatted(point.id(), Arrays.toString(sweep.fault()), point.faults()));
      }
    }
    return faults;
  }

  private static List<Fault> faultsAt(FaultPoint point, String[] texts) {
    if (texts.length == 0) {
      return List.of(Faults.gravest(point));
    }
    return Arrays.stream(texts)
        .filter(text -> Faults.carries(point, text))
        .map(text -> Faults.parse(point, text))
        .distinct()
        .toList();
  }

  private static String carried(Set<FaultPoint> points) {
    List<String> all = new ArrayList<>();
    points.forEach(point -> all.add(point.id() + " " + point.faults()));
    return String.join(", ", all);
  }
}
