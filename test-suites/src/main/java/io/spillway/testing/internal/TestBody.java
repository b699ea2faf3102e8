package io.spillway.testing.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.InvocationInterceptor.Invocation;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** The test's method, which an invocation runs more than once. */
final class TestBody {
  private final Invocation<Void> invocation;
  private final ReflectiveInvocationContext<Method> context;
  private final RecordedResults results;
  private boolean proceeded;

  TestBody(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> context,
      RecordedResults results) {
    this.invocation = invocation;
    this.context = context;
    this.results = results;
  }

  /**
   * Runs it.
   *
   * @return what it threw; a {@link HungRunException} if it had to be ended; null if it ended well
   */
  Throwable run(ManagedSession session) {
    results.begin();
    Throwable failure = TimeLimit.watch(session.spark().sparkContext(), this::run);
    // An interrupt was for the run, and must not end the waiting that comes now.
    var unused = Thread.interrupted();
    return failure;
  }

  private Throwable run() {
    try {
      if (proceeded) {
        again();
      } else {
        // JUnit's own way, through all other extensions. It can be gone once.
        proceeded = true;
        invocation.proceed();
      }
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  private void again() throws Throwable {
    Method method = context.getExecutable();
    method.setAccessible(true);
    try {
      method.invoke(context.getTarget().orElse(null), context.getArguments().toArray());
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** Does not run it. */
  void skip() {
    invocation.skip();
  }

  /** Of the last run. */
  RecordedResults results() {
    return results;
  }
}
