package io.spillway.testing.internal;

import java.util.Optional;

/** The last invocation: whether all faults together have proved anything. */
final class VerdictStep implements Step {
  private final SweepRun run;

  VerdictStep(SweepRun run) {
    this.run = run;
  }

  @Override
  public String name() {
    return run.summary();
  }

  @Override
  public void run(TestBody body) {
    body.skip();
    if (run.isGivenUp()) {
      throw new AssertionError(run.givenUp());
    }
    Optional<String> problem = run.source().problemAtEnd(run.fired());
    if (problem.isPresent()) {
      throw new AssertionError(problem.get());
    }
  }
}
