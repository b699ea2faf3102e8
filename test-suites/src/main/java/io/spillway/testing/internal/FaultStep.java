package io.spillway.testing.internal;

import io.spillway.chaos.ChaosController;
import io.spillway.chaos.RuleStatus;
import io.spillway.testing.SweepOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/**
 * An invocation with a fault: one run with it, the search for what it left behind, and one run
 * without it.
 */
final class FaultStep implements Step {
  private final SweepRun run;
  private final PlannedFault planned;
  private ChaosController chaos;

  FaultStep(SweepRun run, PlannedFault planned) {
    this.run = run;
    this.planned = planned;
  }

  @Override
  public String name() {
    return planned.name();
  }

  @Override
  public Optional<String> fault() {
    return Optional.of(planned.name());
  }

  @Override
  public void prepare() {
    ManagedSession session = run.session();
    // Where a job has stopped its session the agent has gone with it.
    run.prepareAgent();
    session.settle();
    chaos = ArmedAgent.arm(planned.plan().apply(run.label(), session.maxAttempts()));
  }

  @Override
  public void run(TestBody body) throws Throwable {
    ManagedSession session = run.session();
    run.remembered().started(planned.name());
    JvmEndNotice.running(
        "%s %s%nagain: %s".formatted(run.label(), name(), run.replay(planned.name())));
    try {
      inject(body, session);
    } finally {
      JvmEndNotice.nothing();
      ArmedAgent.quiet();
      session.restoreConf();
    }
  }

  private void inject(TestBody body, ManagedSession session) throws Throwable {
    List<String> problems = new ArrayList<>();
    ExecutorCheck check = ExecutorCheck.start(session.settings().allowedThreads());
    session.mark(run.label());
    long startedNanos = System.nanoTime();
    Throwable failure = body.run(session);
    List<String> failedAttempts = settle(session, problems);
    long nanos = System.nanoTime() - startedNanos;
    ArmedAgent.quiet();
    if (failure instanceof TestAbortedException) {
      run.remembered().passed(planned.name());
      throw failure;
    }
    chaos.disarmed().ifPresent(why -> problems.add("the agent disarmed itself: " + why));
    problem(body, failure).ifPresent(problems::add);
    if (!run.isGivenUp()) {
      List<String> left = check.await();
      left.forEach(one -> problems.add("left behind: " + one));
      runWithoutFault(body, session, problems);
      List<String> leftLater = new ArrayList<>(check.await());
      leftLater.removeAll(left);
      leftLater.forEach(one -> problems.add("left behind by the next run: " + one));
    }
    judge(failure, failedAttempts, TimeUnit.NANOSECONDS.toMillis(nanos), problems);
  }

  private void judge(
      Throwable failure, List<String> failedAttempts, long millis, List<String> problems) {
    List<Long> fired = chaos.rules().stream().map(RuleStatus::fired).toList();
    boolean anyFired = fired.stream().anyMatch(count -> count > 0);
    if (!anyFired && planned.certain()) {
      problems.add(
          "nothing fired: the job did not come to this call, which its data alone should bring");
    }
    SweepOutcome outcome = outcome(problems, anyFired, failure, failedAttempts);
    run.done(planned, outcome, fired, millis, problems);
    if (outcome == SweepOutcome.FAILED) {
      throw new AssertionError(
          "%s: %s%nagain: %s"
              .formatted(planned.name(), String.join("; ", problems), run.replay(planned.name())),
          failure);
    }
    run.remembered().passed(planned.name());
    if (outcome == SweepOutcome.NOT_REACHED) {
      throw new TestAbortedException(
          planned.name()
              + ": nothing fired, as the job did not come to this call this time: how often it"
              + " comes there depends on the memory that other tasks hold");
    }
  }

  /** A task that does not end keeps the session from all that would come. */
  private List<String> settle(ManagedSession session, List<String> problems) {
    try {
      return session.settle();
    } catch (HungRunException e) {
      problems.add(e.getMessage());
      run.giveUp("after " + planned.name() + " a task did not end");
      return List.of();
    }
  }

  /** What is wrong with how the run with the fault ended. */
  private Optional<String> problem(TestBody body, Throwable failure) {
    if (failure == null) {
      return body.results()
          .difference(run.expected())
          .map(difference -> "the result is wrong: " + difference);
    }
    if (failure instanceof HungRunException) {
      return Optional.of(failure.getMessage());
    }
    if (failure instanceof AssertionError) {
      return Optional.of("an assertion of the test failed: " + failure.getMessage());
    }
    return planned
        .expected()
        .problem(failure)
        .map(problem -> problem + ": " + failure.toString().lines().findFirst().orElse(""));
  }

  private void runWithoutFault(TestBody body, ManagedSession session, List<String> problems) {
    session.mark(SweepRun.NO_FAULT);
    Throwable failure = body.run(session);
    List<String> failedAttempts = settle(session, problems);
    if (failure != null) {
      problems.add("the next run, without a fault, failed: " + failure);
      return;
    }
    body.results()
        .difference(run.expected())
        .ifPresent(
            difference ->
                problems.add("the next run, without a fault, has a wrong result: " + difference));
    if (!failedAttempts.isEmpty()) {
      problems.add("attempts failed in the next run, without a fault: " + failedAttempts);
    }
  }

  private static SweepOutcome outcome(
      List<String> problems, boolean fired, Throwable failure, List<String> failedAttempts) {
    if (!problems.isEmpty()) {
      return SweepOutcome.FAILED;
    } else if (!fired) {
      return SweepOutcome.NOT_REACHED;
    } else if (failure != null) {
      return SweepOutcome.FAILED_CLEAN;
    }
    return failedAttempts.isEmpty() ? SweepOutcome.RECOVERED : SweepOutcome.TASK_RETRIED;
  }
}
