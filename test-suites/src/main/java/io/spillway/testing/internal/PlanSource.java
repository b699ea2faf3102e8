package io.spillway.testing.internal;

import io.spillway.chaos.Fault;
import io.spillway.chaos.FaultPlan;
import io.spillway.chaos.FaultPoint;
import io.spillway.chaos.FaultRule;
import io.spillway.chaos.PlanException;
import io.spillway.testing.ChaosTest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** A plan, under one seed after the other. */
final class PlanSource implements FaultSource {
  private final ChaosTest test;
  private final FaultPlan plan;
  private final Set<FaultPoint> points = EnumSet.noneOf(FaultPoint.class);

  /**
   * @param testClass whose class loader finds a plan that is a resource
   */
  PlanSource(ChaosTest test, Class<?> testClass) {
    this.test = test;
    try {
      this.plan = read(test, testClass);
    } catch (PlanException | IOException e) {
      throw new ExtensionConfigurationException(e.getMessage(), e);
    }
    check(test, plan);
    plan.rules().forEach(rule -> points.add(rule.point()));
    points.forEach(Faults::checkSafe);
  }

  /** What would inject nothing would pass for tested. */
  private static void check(ChaosTest test, FaultPlan plan) {
    if (test.seed().length == 0) {
      throw new ExtensionConfigurationException(
          "@ChaosTest has no seed, so that its plan would never be armed: name one, or leave it out");
    }
    if (plan.mode() == FaultPlan.Mode.DRY_RUN) {
      throw new ExtensionConfigurationException(
          "the plan of @ChaosTest is a dry run, in which nothing is injected: take dryRun out of it");
    }
    for (int rare : test.rare()) {
      if (rare < 1 || rare > plan.rules().size()) {
        throw new ExtensionConfigurationException(
            "@ChaosTest names rule %d as rare, and its plan has rules 1 to %d"
                .formatted(rare, plan.rules().size()));
      }
    }
  }

  private static FaultPlan read(ChaosTest test, Class<?> testClass) throws IOException {
    if (test.plan().isEmpty() == (test.rules().length == 0)) {
      throw new ExtensionConfigurationException("@ChaosTest needs a plan or rules, and not both");
    }
    if (test.plan().isEmpty()) {
      return FaultPlan.parse(
          "the rules of @ChaosTest",
          "{version: 1, rules: [" + String.join(", ", test.rules()) + "]}");
    }
    Path file = Path.of(test.plan());
    if (Files.isRegularFile(file)) {
      return FaultPlan.parse(file);
    }
    try (InputStream in = testClass.getClassLoader().getResourceAsStream(test.plan())) {
      if (in == null) {
        throw new ExtensionConfigurationException(
            "the plan '%s' of @ChaosTest is no file in %s and no resource"
                .formatted(test.plan(), Path.of("").toAbsolutePath()));
      }
      return FaultPlan.parse(test.plan(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Override
  public Set<FaultPoint> points() {
    return points;
  }

  @Override
  public long seed() {
    return test.seed()[0];
  }

  @Override
  public Optional<FaultPlan> countingPlan(String label) {
    return Optional.empty();
  }

  @Override
  public Optional<String> problem(List<Call> calls) {
    return Optional.empty();
  }

  @Override
  public List<PlannedFault> faults(List<Call> calls) {
    List<Fault> kinds = plan.rules().stream().map(FaultRule::fault).toList();
    List<PlannedFault> faults = new ArrayList<>();
    for (long seed : Arrays.stream(test.seed()).distinct().toArray()) {
      faults.add(
          new PlannedFault(
              "seed=" + seed,
              points.stream().map(FaultPoint::id).collect(Collectors.joining(", ")),
              "",
              "",
              kinds.stream().map(Fault::describe).distinct().collect(Collectors.joining(", ")),
              "",
              false,
              ExpectedFailure.of(test.failsWith(), test.message(), kinds),
              (label, attempts) -> plan.withSeed(seed)));
    }
    return faults;
  }

  @Override
  public List<PlannedFault> choose(List<PlannedFault> all) {
    return all;
  }

  @Override
  public Optional<String> problemAtEnd(List<Long> fired) {
    for (int rule = 1; rule <= plan.rules().size(); rule++) {
      int number = rule;
      boolean rare = Arrays.stream(test.rare()).anyMatch(one -> one == number);
      if (!rare && (fired.size() < rule || fired.get(rule - 1) == 0)) {
        return Optional.of(
            "rule %d, at %s, has fired under none of the seeds: it proves nothing"
                .formatted(rule, plan.rules().get(rule - 1).point().id()));
      }
    }
    return Optional.empty();
  }
}
