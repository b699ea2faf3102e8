package io.spillway.testing;

import io.spillway.testing.internal.ExecutorCheck;
import java.util.List;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.function.Executable;

/** What any test of a job in this JVM can assert, with or without faults. */
public final class SpillwayAssertions {
  private SpillwayAssertions() {}

  /**
   * Runs something and asserts that it leaves nothing behind: no byte and no block in Spillway's
   * ledger, no execution memory of Spark's, no spill file, no open file and no thread of a task.
   * Waits up to 20 seconds for what is being given back. What it throws is thrown, with what was
   * left as suppressed.
   *
   * @param body starts jobs in this JVM's Spark, and waits for them
   */
  public static void assertNoNativeLeaks(Executable body) throws Throwable {
    ExecutorCheck check = ExecutorCheck.start(List.of());
    Throwable failure = null;
    try {
      body.execute();
    } catch (Throwable e) {
      failure = e;
    }
    List<String> left = check.await();
    AssertionError leak =
        left.isEmpty() ? null : new AssertionError("left behind: " + String.join("; ", left));
    if (failure != null) {
      if (leak != null) {
        failure.addSuppressed(leak);
      }
      throw failure;
    }
    if (leak != null) {
      throw leak;
    }
  }

  /**
   * A condition for Awaitility: this JVM's executor runs no task and holds no memory of one.
   *
   * <pre>{@code
   * await().atMost(ofSeconds(20)).untilAsserted(executorIsClean());
   * }</pre>
   */
  public static ThrowingRunnable executorIsClean() {
    return () -> {
      List<String> held = ExecutorCheck.heldNow();
      if (!held.isEmpty()) {
        throw new AssertionError("the executor is not clean: " + String.join("; ", held));
      }
    };
  }
}
