package io.spillway.testing;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.EngineFilter.includeEngines;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Tests that were run by a launcher of their own: what became of each invocation, in order. */
record LaunchedTests(List<Executed> all) {

  /**
   * One invocation, or a container that failed as such.
   *
   * @param method of the test; empty for a class
   * @param failure why it failed or was aborted; empty if it passed
   */
  record Executed(
      String method, String name, TestExecutionResult.Status status, Optional<Throwable> failure) {

    String message() {
      return failure.map(Throwable::getMessage).orElse("");
    }
  }

  /**
   * Runs the tests of classes.
   *
   * @param settings of JUnit, as key and value in turn
   */
  static LaunchedTests of(List<Class<?>> classes, String... settings) {
    LauncherDiscoveryRequestBuilder request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(
                classes.stream()
                    .map(type -> selectClass(type))
                    .toArray(org.junit.platform.engine.DiscoverySelector[]::new))
            .filters(includeEngines("junit-jupiter"));
    for (int i = 0; i < settings.length; i += 2) {
      request.configurationParameter(settings[i], settings[i + 1]);
    }
    return run(request.build());
  }

  private static LaunchedTests run(LauncherDiscoveryRequest request) {
    // JUnit may run them in parallel.
    List<Executed> all = Collections.synchronizedList(new ArrayList<>());
    LauncherFactory.create()
        .execute(
            request,
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest() || result.getThrowable().isPresent()) {
                  String method =
                      test.getSource().orElse(null) instanceof MethodSource source
                          ? source.getMethodName()
                          : "";
                  all.add(
                      new Executed(
                          method,
                          test.getDisplayName(),
                          result.getStatus(),
                          result.getThrowable()));
                }
              }
            });
    return new LaunchedTests(List.copyOf(all));
  }

  /** The invocations of one method. */
  List<Executed> of(String method) {
    return all.stream().filter(one -> one.method().equals(method)).toList();
  }

  /** The invocations with a fault: neither the counting run nor the verdict. */
  List<Executed> faultsOf(String method) {
    return of(method).stream().filter(one -> one.name().contains("seed=")).toList();
  }

  /** For a JVM of its own: runs the classes that the arguments name, and prints each invocation. */
  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) {
    List<Class<?>> classes =
        Arrays.stream(arguments)
            .<Class<?>>map(
                name -> {
                  try {
                    return Class.forName(name);
                  } catch (ClassNotFoundException e) {
                    throw new IllegalArgumentException(name, e);
                  }
                })
            .toList();
    of(classes)
        .all()
        .forEach(
            one ->
                System.out.println(
                    one.status() + " " + one.method() + " " + one.name() + ": " + one.message()));
    System.exit(0);
  }
}
