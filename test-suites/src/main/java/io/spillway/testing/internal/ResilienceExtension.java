package io.spillway.testing.internal;

import io.spillway.testing.ChaosTest;
import io.spillway.testing.FaultSweep;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Makes the invocations of {@link FaultSweep} and {@link ChaosTest} methods. */
public final class ResilienceExtension implements TestTemplateInvocationContextProvider {

  /** For JUnit. */
  public ResilienceExtension() {}

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    Method method = context.getRequiredTestMethod();
    return Annotations.find(method, FaultSweep.class).isPresent()
        || Annotations.find(method, ChaosTest.class).isPresent();
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    Class<?> testClass = context.getRequiredTestClass();
    Method method = context.getRequiredTestMethod();
    SweepRun run =
        new SweepRun(
            testClass.getName(),
            method.getName(),
            source(testClass, method),
            () -> SessionResolver.session(context));
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(
            new Invocations(run), Spliterator.ORDERED | Spliterator.NONNULL),
        false);
  }

  private static FaultSource source(Class<?> testClass, Method method) {
    Optional<ChaosTest> chaos = Annotations.find(method, ChaosTest.class);
    if (chaos.isPresent()) {
      return new PlanSource(chaos.get(), testClass);
    }
    FaultSweep own = Annotations.find(method, FaultSweep.class).orElseThrow();
    boolean inherited = method.getDeclaringClass() != testClass;
    return new SweepSource(
        inherited ? Annotations.find(testClass, FaultSweep.class).orElse(own) : own);
  }
}
