package io.spillway.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;

/** A clean-up is done to its end, and what failed in it is not lost. */
class ClosingTest {
  private final Closing closing = new Closing();

  @Test
  void shouldRunEveryStepAndThrowTheFirstFailureWithTheOthersInIt() {
    List<String> done = new ArrayList<>();
    IllegalStateException first = new IllegalStateException("first");
    AssertionError second = new AssertionError("second");
    closing.run(
        () -> {
          throw first;
        });
    closing.run(
        () -> {
          throw second;
        });
    closing.run(() -> done.add("third"));

    assertThatThrownBy(closing::rethrow).isSameAs(first).hasSuppressedException(second);
    assertThat(done).containsExactly("third");
  }

  @Test
  void shouldNotSwallowACheckedExceptionThatNobodyDeclared() {
    IOException undeclared = new IOException("as Scala code throws it");
    closing.run(() -> Platform.throwException(undeclared));

    assertThatThrownBy(closing::rethrow)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("as Scala code throws it")
        .hasCause(undeclared);
  }

  @Test
  void shouldThrowNothingWhenNothingFailed() {
    closing.run(() -> {});

    closing.rethrow();
  }
}
