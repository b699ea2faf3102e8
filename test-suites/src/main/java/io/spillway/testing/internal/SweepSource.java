package io.spillway.testing.internal;

import io.spillway.chaos.Fault;
import io.spillway.chaos.FaultKey;
import io.spillway.chaos.FaultPlan;
import io.spillway.chaos.FaultPoint;
import io.spillway.chaos.FaultRule;
import io.spillway.chaos.Limits;
import io.spillway.chaos.Scope;
import io.spillway.chaos.Trigger;
import io.spillway.testing.FaultSweep;
import io.spillway.testing.SweepMode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** One fault for each call, mode and kind of fault. */
final class SweepSource implements FaultSource {
  /** Runs every call, however many there are. */
  static final String ALL = "spillway.testing.all";

  private final FaultSweep sweep;
  private final SweepSpec spec;

  SweepSource(FaultSweep sweep) {
    this.sweep = sweep;
    this.spec = SweepSpec.of(sweep);
  }

  @Override
  public Set<FaultPoint> points() {
    return spec.points().keySet();
  }

  @Override
  public long seed() {
    return sweep.seed();
  }

  @Override
  public Optional<FaultPlan> countingPlan(String label) {
    List<FaultRule> rules =
        points().stream()
            .map(
                point ->
                    new FaultRule(
                        point,
                        Faults.gravest(point),
                        new Trigger.From(1),
                        scope(label, List.of(), List.of(), 0),
                        Limits.NONE))
            .toList();
    return Optional.of(
        new FaultPlan(seed(), Optional.empty(), Optional.empty(), FaultPlan.Mode.DRY_RUN, rules));
  }

  @Override
  public Optional<String> problem(List<Call> calls) {
    if (calls.isEmpty()) {
      return Optional.of("the job comes to none of the fault points " + points());
    }
    Set<FaultPoint> missed = EnumSet.noneOf(FaultPoint.class);
    missed.addAll(spec.required());
    calls.forEach(call -> missed.remove(call.point()));
    return missed.isEmpty()
        ? Optional.empty()
        : Optional.of(
            ("the job never comes to %s, so that nothing is tested there: change the job, or name"
                    + " what it need not come to as rare")
                .formatted(missed));
  }

  @Override
  public List<PlannedFault> faults(List<Call> calls) {
    List<PlannedFault> faults = new ArrayList<>();
    for (Call call : calls) {
      for (Fault fault : spec.points().get(call.point())) {
        for (SweepMode mode : spec.modes()) {
          faults.add(fault(call, fault, mode));
        }
      }
    }
    return faults;
  }

  private PlannedFault fault(Call call, Fault fault, SweepMode mode) {
    String name =
        "%s #%d %s %s s=%d p=%d a=0 seed=%d"
            .formatted(
                call.point().id(),
                call.call(),
                mode,
                fault.describe(),
                call.stage(),
                call.partition(),
                seed());
    return new PlannedFault(
        name,
        call.point().id(),
        call.operator(),
        mode.toString(),
        fault.describe(),
        List.of(call.point(), call.operator(), call.stage(), mode, fault.describe()),
        call.point().calls() == FaultPoint.Calls.DATA_DRIVEN,
        ExpectedFailure.of(sweep.failsWith(), sweep.message(), List.of(fault)),
        (label, attempts) -> plan(call, fault, mode, label, attempts));
  }

  private FaultPlan plan(Call call, Fault fault, SweepMode mode, String label, int attempts) {
    List<FaultRule> rules = new ArrayList<>();
    if (mode == SweepMode.ONE_SHOT) {
      FaultKey key = new FaultKey(label, call.stage(), call.partition(), 0, 0, call.call());
      rules.add(
          new FaultRule(
              call.point(),
              fault,
              new Trigger.Keys(List.of(key)),
              Scope.FIRST_ATTEMPTS,
              Limits.NONE));
    } else {
      for (int attempt = 0; attempt < attempts; attempt++) {
        rules.add(
            new FaultRule(
                call.point(),
                fault,
                new Trigger.From(attempt == 0 ? call.call() : 1),
                scope(label, List.of(call.stage()), List.of(call.partition()), attempt),
                Limits.NONE));
      }
    }
    return new FaultPlan(seed(), Optional.empty(), Optional.empty(), FaultPlan.Mode.FIRE, rules);
  }

  private static Scope scope(
      String label, List<Integer> stages, List<Integer> partitions, int attempt) {
    return new Scope(
        Optional.of(label), stages, partitions, OptionalInt.of(attempt), Optional.empty(), false);
  }

  @Override
  public List<PlannedFault> choose(List<PlannedFault> all) {
    if (all.size() <= sweep.max() || Boolean.getBoolean(ALL)) {
      return all;
    }
    int wanted = sweep.sample() == 0 ? sweep.max() : sweep.sample();
    return Selection.draw(all, PlannedFault::stratum, wanted, seed());
  }

  @Override
  public Optional<String> problemAtEnd(List<Long> fired) {
    return fired.stream().mapToLong(Long::longValue).sum() > 0
        ? Optional.empty()
        : Optional.of("no fault has fired");
  }
}
