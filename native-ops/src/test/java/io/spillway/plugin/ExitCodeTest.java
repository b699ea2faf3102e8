package io.spillway.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExitCodeTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Command exited with code 134 | 134 | true",
        "The executor with id 3 exited with exit code 139(SIGSEGV, possible). | 139 | true",
        "Container from a bad node: c_1 on host: h. Exit status: 137. | 137 | false",
        "Container marked as failed: c_1. exitCode: 135 | 135 | true",
        "Command exited with code 137 | 137 | false",
        "Command exited with code 1 | 1 | false",
        "Executor heartbeat timed out after 120000 ms | | false"
      })
  void shouldTellACrashFromAKill(String reason, Integer code, boolean crash) {
    assertThat(ExitCode.in(reason).isPresent()).isEqualTo(code != null);
    assertThat(ExitCode.in(reason).orElse(0)).isEqualTo(code == null ? 0 : code);
    assertThat(ExitCode.isCrash(reason)).isEqualTo(crash);
  }
}
