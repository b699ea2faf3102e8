package io.spillway.chaos.internal.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.chaos.PlanException;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentOptionsTest {

  @Test
  void shouldTakeTheArgumentBeforeSystemProperties() {
    Properties system = new Properties();
    system.setProperty("spillway.chaos.plan", "/from/property.yaml");
    system.setProperty("spillway.chaos.environment", "staging");
    AgentOptions options = AgentOptions.parse("plan=/a/plan.yaml, out=/tmp/chaos", system);
    assertThat(options.plan()).contains(Path.of("/a/plan.yaml"));
    assertThat(options.out()).isEqualTo(Path.of("/tmp/chaos"));
    assertThat(options.environment()).contains("staging");
  }

  @Test
  void shouldHaveNoPlanWhenNothingNamesOne() {
    AgentOptions options = AgentOptions.parse(null, new Properties());
    assertThat(options.plan()).isEmpty();
    assertThat(options.out()).isEqualTo(Path.of("spillway-chaos"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "plan|'plan' is not KEY=VALUE with one of the keys plan, out, environment",
        "pla=x|'pla=x' is not KEY=VALUE",
        "=x|'=x' is not KEY=VALUE",
        "plan=|'plan' has no value",
        "plan=a,plan=b|'plan' is given twice",
      })
  void shouldRefuseTheArgumentWhenItIsWrong(String argument, String problem) {
    assertThatExceptionOfType(PlanException.class)
        .isThrownBy(() -> AgentOptions.parse(argument, new Properties()))
        .withMessageStartingWith("agent argument: " + problem);
  }
}
