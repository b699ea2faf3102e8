package io.spillway.testing.internal;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;

/**
 * The invocations of a test, each made when the one before has ended: which faults there are is
 * known only then.
 */
final class Invocations implements Iterator<TestTemplateInvocationContext> {
  private final SweepRun run;
  private Step next;
  private boolean counted;
  private boolean judged;
  private boolean reported;

  Invocations(SweepRun run) {
    this.run = run;
  }

  @Override
  public boolean hasNext() {
    if (next == null) {
      next = advance();
    }
    if (next == null && !reported) {
      reported = true;
      ResilienceReports.add(run.testClass(), run.report());
    }
    return next != null;
  }

  private Step advance() {
    if (!counted) {
      counted = true;
      return new CountingStep(run);
    }
    if (!run.isPlanned()) {
      return null;
    }
    PlannedFault fault = run.next();
    if (fault != null) {
      return new FaultStep(run, fault);
    }
    if (judged || run.isReplay()) {
      return null;
    }
    judged = true;
    return new VerdictStep(run);
  }

  @Override
  public TestTemplateInvocationContext next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the sweep is over");
    }
    Step step = next;
    next = null;
    return new TestTemplateInvocationContext() {
      @Override
      public String getDisplayName(int invocationIndex) {
        return step.name();
      }

      @Override
      public List<Extension> getAdditionalExtensions() {
        return List.of(new StepExtension(step, run));
      }
    };
  }
}
