package io.spillway.testing.internal;

import io.spillway.chaos.ChaosController;
import io.spillway.chaos.FaultPlan;
import java.util.List;
import java.util.Optional;

/**
 * The invocation without a fault: a first run whose result counts, and a second one that must equal
 * it, whose calls are counted.
 */
final class CountingStep implements Step {
  private final SweepRun run;

  CountingStep(SweepRun run) {
    this.run = run;
  }

  @Override
  public String name() {
    return "without a fault";
  }

  @Override
  public void prepare() {
    // First the agent: without one there is no need to start Spark.
    run.prepareAgent();
    run.session();
    // A session that had to be started anew has taken the agent with it.
    run.prepareAgent();
    ArmedAgent.quiet();
  }

  @Override
  public void run(TestBody body) throws Throwable {
    ManagedSession session = run.session();
    session.keepConf();
    JvmEndNotice.running(run.label() + " " + name());
    try {
      count(body, session);
      run.plan();
    } finally {
      JvmEndNotice.nothing();
      ArmedAgent.quiet();
      session.restoreConf();
    }
  }

  private void count(TestBody body, ManagedSession session) throws Throwable {
    session.mark(SweepRun.NO_FAULT);
    Throwable first = body.run(session);
    session.settle();
    throwIfFailed(first);
    run.expect(List.copyOf(body.results().results()));
    checkThatRowsCanBeLost();

    ExecutorCheck check = ExecutorCheck.start(session.settings().allowedThreads());
    Optional<FaultPlan> plan = run.source().countingPlan(run.label());
    ChaosController dryRun = plan.map(ArmedAgent::arm).orElse(null);
    CountedCalls counted = dryRun == null ? null : new CountedCalls(dryRun);
    session.mark(run.label());
    Throwable second = body.run(session);
    List<String> failedAttempts = session.settle();
    ArmedAgent.quiet();
    throwIfFailed(second);
    body.results()
        .difference(run.expected())
        .ifPresent(
            difference -> {
              throw new AssertionError(
                  "two runs without a fault came to other results, and a sweep needs a job that"
                      + " can be repeated: "
                      + difference);
            });
    if (!failedAttempts.isEmpty()) {
      throw new AssertionError("attempts failed without a fault: " + failedAttempts);
    }
    if (dryRun != null && dryRun.disarmed().isPresent()) {
      throw new AssertionError("the calls were not counted: " + dryRun.disarmed().get());
    }
    run.count(counted == null ? List.of() : counted.read());
    List<String> left = check.await();
    if (!left.isEmpty()) {
      throw new AssertionError("without a fault, left behind: " + String.join("; ", left));
    }
    Optional<String> problem = run.source().problem(run.calls());
    if (problem.isPresent()) {
      throw new AssertionError(problem.get());
    }
  }

  private static void throwIfFailed(Throwable failure) throws Throwable {
    if (failure instanceof OutOfMemoryError || failure instanceof HungRunException) {
      // JUnit gives up all tests of the JVM for the first.
      throw new AssertionError("the job failed without a fault: " + failure, failure);
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void checkThatRowsCanBeLost() {
    List<RecordedResult> results = run.expected();
    if (!results.isEmpty() && results.stream().allMatch(one -> one.rows().rows().isEmpty())) {
      throw new AssertionError(
          "every result is empty, so that no fault could lose a row: give the job rows to work on,"
              + " or assert what you expect without report.result");
    }
  }
}
