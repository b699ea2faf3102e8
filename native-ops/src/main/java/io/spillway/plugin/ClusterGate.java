package io.spillway.plugin;

import io.spillway.plan.KindGate;
import io.spillway.plan.OperatorSwitch;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the driver knows that speaks against native operators. Nobody can say on which executors a
 * query's tasks will run, so one without kernels speaks against all of them.
 */
record ClusterGate(ExecutorsWithoutKernels withoutKernels, KindBreakers breakers)
    implements KindGate {
  @Override
  public Optional<String> refusal(OperatorSwitch kind, OptionalLong query) {
    return breakers.refusal(kind, query);
  }

  @Override
  public Optional<String> refusalOfAll() {
    return withoutKernels.refusal();
  }
}
