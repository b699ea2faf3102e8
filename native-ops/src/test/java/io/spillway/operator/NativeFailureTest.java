package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.spillway.memory.MemoryDenied;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.apache.spark.SparkException;
import org.apache.spark.TaskKilledException;
import org.junit.jupiter.api.Test;

/** Only what Spillway's own code threw is a failure of a native operator. */
class NativeFailureTest {
  @Test
  void shouldBlameWhatOurCodeThrowsAlsoThroughTheJdkAndInsideAnother() {
    assertThat(NativeFailure.is(new MemoryDenied("Sort", 7))).isTrue();
    assertThat(NativeFailure.is(catchThrowable(() -> Objects.checkIndex(3, 2)))).isTrue();
    assertThat(NativeFailure.is(new SparkException("task", new IllegalStateException("ours"))))
        .isTrue();
  }

  @Test
  void shouldBlameNothingThatOnlyPassesThrough() {
    Throwable jdk = new IllegalArgumentException("no id");
    jdk.setStackTrace(new StackTraceElement[] {frame("java.util.UUID"), frame("com.shop.Job")});
    assertThat(NativeFailure.is(jdk)).isFalse();
    Throwable spark = new IllegalStateException("a function");
    spark.setStackTrace(new StackTraceElement[] {frame("org.apache.spark.sql.Some")});
    assertThat(NativeFailure.is(spark)).isFalse();
    Throwable bare = new NullPointerException();
    bare.setStackTrace(new StackTraceElement[0]);
    assertThat(NativeFailure.is(bare)).isFalse();
  }

  @Test
  void shouldBlameNothingForAKillOrADisk() {
    assertThat(NativeFailure.is(new TaskKilledException("stage cancelled"))).isFalse();
    assertThat(NativeFailure.is(new IOException("No space left on device"))).isFalse();
    assertThat(NativeFailure.is(new UncheckedIOException(new IOException("damaged")))).isFalse();
  }

  @Test
  void shouldEndWhenCausesGoInACircle() {
    RuntimeException one = new IllegalStateException("one");
    RuntimeException other = new IllegalStateException("other", one);
    one.initCause(other);
    assertThat(List.of(NativeFailure.is(one), NativeFailure.is(other))).hasSize(2);
  }

  private static StackTraceElement frame(String type) {
    return new StackTraceElement(type, "run", "Some.java", 1);
  }
}
