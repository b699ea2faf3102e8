package io.spillway.testing.internal;

import io.spillway.chaos.ChaosAgent;
import io.spillway.chaos.ChaosController;
import io.spillway.testing.FaultReport;
import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Puts one step in the place of one run of the test's method. */
final class StepExtension
    implements BeforeTestExecutionCallback, ParameterResolver, InvocationInterceptor {
  private final Step step;
  private final RecordedResults results;

  StepExtension(Step step, SweepRun run) {
    this.step = step;
    this.results = new RecordedResults(step.fault(), run.callsByPoint());
  }

  @Override
  public void beforeTestExecution(ExtensionContext context) {
    step.prepare();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == FaultReport.class || type == ChaosController.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == FaultReport.class
        ? results
        : ChaosAgent.current().orElseThrow();
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    step.run(new TestBody(invocation, method, results));
  }
}
