package io.spillway.chaos.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.spark.TaskKilledException;
import org.apache.spark.executor.Executor;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskFailuresTest {
  @Test
  void shouldTellHowAnAttemptEnded() {
    assertThat(TaskFailures.result(null)).isEqualTo("succeeded");
    assertThat(TaskFailures.result(new IOException("x"))).isEqualTo("failed");
    assertThat(TaskFailures.result(new TaskKilledException("x"))).isEqualTo("killed");
  }

  @ParameterizedTest(name = "fatal below {0} causes")
  @ValueSource(ints = {0, 1, 3, 4, 5, 6})
  void shouldCallFatalWhatSparkDoesWhenAnErrorIsACause(int causes) {
    for (Error error :
        new Error[] {
          new OutOfMemoryError("x"),
          new StackOverflowError(),
          new SparkOutOfMemoryError("x"),
          new NoClassDefFoundError("x")
        }) {
      Throwable failure = error;
      for (int i = 0; i < causes; i++) {
        failure = new IllegalStateException(failure);
      }
      assertThat(TaskFailures.endsExecutor(failure))
          .as("%s below %d causes", error, causes)
          .isEqualTo(Executor.isFatalError(failure, 5));
    }
  }
}
