package io.spillway.resilience.mutation;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.launcher.EngineFilter.includeEngines;

import io.spillway.report.Json;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.ResettableClassFileTransformer;
import net.bytebuddy.asm.Advice;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * A JVM of its own, as a mutated Spillway may well bring its JVM down: for each defect it runs the
 * test that is to notice it, with the defect and without, and writes down what the test said.
 */
public final class MutationRunner {
  /** A test that a defect makes wait for good is a test that has noticed it, but not a fast one. */
  private static final String LONGEST_TEST = "90 s";

  private MutationRunner() {}

  /**
   * What the test said.
   *
   * @param defect its name
   * @param woven methods that got the advice
   * @param testsWith tests that ran with the defect
   * @param failedWith those of them that failed
   * @param failure what the first of these said
   * @param testsWithout tests that ran without it
   * @param failedWithout those of them that failed
   * @param failureWithout what the first of these said
   * @param millis both runs together
   */
  public record Proof(
      String defect,
      int woven,
      long testsWith,
      long failedWith,
      String failure,
      long testsWithout,
      long failedWithout,
      String failureWithout,
      long millis) {}

  /**
   * Proves one defect after the other.
   *
   * @param arguments a file for the proofs, one line each, then the names of the defects
   */
  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]);
    try {
      Instrumentation instrumentation = ByteBuddyAgent.install();
      for (int i = 1; i < arguments.length; i++) {
        Proof proof = prove(Defect.valueOf(arguments[i]), instrumentation);
        Files.writeString(
            file,
            Json.LINES.writeValueAsString(proof) + "\n",
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
      }
    } finally {
      // Threads of tests that a defect has left hanging must not keep the JVM alive.
      System.exit(0);
    }
  }

  private static Proof prove(Defect defect, Instrumentation instrumentation) {
    long startedNanos = System.nanoTime();
    AtomicInteger woven = new AtomicInteger();
    ResettableClassFileTransformer mutation = mutate(defect, instrumentation, woven);
    Result with = run(defect.catcher());
    mutation.reset(instrumentation, AgentBuilder.RedefinitionStrategy.RETRANSFORMATION);
    Result without = run(defect.catcher());
    return new Proof(
        defect.name(),
        woven.get(),
        with.tests(),
        with.failed(),
        with.failure(),
        without.tests(),
        without.failed(),
        without.failure(),
        (System.nanoTime() - startedNanos) / 1_000_000);
  }

  private static ResettableClassFileTransformer mutate(
      Defect defect, Instrumentation instrumentation, AtomicInteger woven) {
    return new AgentBuilder.Default()
        .disableClassFormatChanges()
        .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
        .type(named(defect.type()))
        .transform(
            (builder, type, loader, module, domain) -> {
              woven.addAndGet(type.getDeclaredMethods().filter(named(defect.method())).size());
              return builder.visit(Advice.to(defect.advice()).on(named(defect.method())));
            })
        .installOn(instrumentation);
  }

  /** What a run of the test came to; the failure is empty if there was none. */
  private record Result(long tests, long failed, String failure) {}

  private static Result run(String test) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    try {
      LauncherFactory.create()
          .execute(
              LauncherDiscoveryRequestBuilder.request()
                  .selectors(selectMethod(test))
                  .filters(includeEngines("junit-jupiter"))
                  .configurationParameter(
                      "junit.jupiter.execution.timeout.test.method.default", LONGEST_TEST)
                  .build(),
              listener);
    } catch (SparkOutOfMemoryError e) {
      // JUnit takes it for the JVM's own, and lets it through instead of failing the test.
      return new Result(1, 1, firstLine(e));
    }
    TestExecutionSummary summary = listener.getSummary();
    return new Result(
        summary.getTestsStartedCount(),
        summary.getTestsStartedCount() - summary.getTestsSucceededCount(),
        summary.getFailures().stream()
            .findFirst()
            .map(failure -> firstLine(failure.getException()))
            .orElse(""));
  }

  private static String firstLine(Throwable failure) {
    return failure.toString().lines().findFirst().orElse("");
  }
}
