package io.spillway.testing.internal;

import io.spillway.testing.ChaosTest;
import io.spillway.testing.FaultSweep;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/** Makes the invocations of {@link FaultSweep} and {@link ChaosTest} methods. */
public final class ResilienceExtension
    implements BeforeAllCallback, TestTemplateInvocationContextProvider {

  /** For JUnit. */
  public ResilienceExtension() {}

  /** Asked for classes that are annotated themselves: the annotation must have an effect. */
  @Override
  public void beforeAll(ExtensionContext context) {
    Class<?> testClass = context.getRequiredTestClass();
    if (Annotations.find(testClass, FaultSweep.class).isEmpty()) {
      return;
    }
    boolean inherits =
        ReflectionSupport.streamMethods(
                testClass,
                method ->
                    method.getDeclaringClass() != testClass
                        && Annotations.find(method, FaultSweep.class).isPresent(),
                HierarchyTraversalMode.TOP_DOWN)
            .findAny()
            .isPresent();
    if (!inherits) {
      throw new ExtensionConfigurationException(
          ("@FaultSweep on the class %s changes the sweeps that it inherits, and it inherits none: put"
                  + " it on a method, or extend ResilienceSuite")
              .formatted(testClass.getName()));
    }
  }

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
    if (chaos.isPresent() && Annotations.find(method, FaultSweep.class).isPresent()) {
      throw new ExtensionConfigurationException(
          "the method %s has both @FaultSweep and @ChaosTest: make it two methods"
              .formatted(method.getName()));
    }
    if (chaos.isPresent()) {
      return new PlanSource(chaos.get(), testClass);
    }
    FaultSweep own = Annotations.find(method, FaultSweep.class).orElseThrow();
    boolean inherited = method.getDeclaringClass() != testClass;
    return new SweepSource(
        inherited ? Annotations.find(testClass, FaultSweep.class).orElse(own) : own);
  }
}
