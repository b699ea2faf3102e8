package io.spillway.chaos.internal.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.chaos.PlanException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentOptionsTest {
  private static final String INLINE = "{version: 1, rules: [{point: task.end, fault: kill}]}";

  @TempDir Path dir;

  private final Properties system = new Properties();
  private final Map<String, String> variables = new HashMap<>();

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"plan", "out", "environment"})
  void shouldTakeArgumentThenPropertyThenVariableThenFile(String key) throws IOException {
    Path file = Files.writeString(dir.resolve("chaos.yaml"), key + ": /from/file\n");
    List<String> seen = new ArrayList<>();
    seen.add(value(key, parse("config=" + file)));
    variables.put("SPILLWAY_CHAOS_" + key.toUpperCase(java.util.Locale.ROOT), "/from/variable");
    seen.add(value(key, parse("config=" + file)));
    system.setProperty("spillway.chaos." + key, "/from/property");
    seen.add(value(key, parse("config=" + file)));
    seen.add(value(key, parse("config=" + file + "," + key + "=/from/argument")));
    assertThat(seen)
        .containsExactly("/from/file", "/from/variable", "/from/property", "/from/argument");
  }

  @Test
  void shouldTakeEachKeyFromItsOwnPlaceWhenNoPlaceHasThemAll() throws IOException {
    Path file = Files.writeString(dir.resolve("chaos.yaml"), "out: reports\nplan: a/plan.yaml\n");
    variables.put("SPILLWAY_CHAOS_CONFIG", file.toString());
    system.setProperty("spillway.chaos.environment", "staging, eu");
    AgentOptions options = parse(null);
    assertThat(options.environment()).contains("staging, eu");
    // Executors have working directories of their own: paths in the file go from the file.
    assertThat(options.out()).isEqualTo(dir.resolve("reports"));
    assertThat(value("plan", options)).isEqualTo(dir.resolve("a/plan.yaml").toString());
  }

  @Test
  void shouldHaveNoPlanWhenNothingNamesOne() {
    variables.put("SPILLWAY_CHAOS_PLAN", " ");
    variables.put("PATH", "/bin");
    AgentOptions options = parse(null);
    assertThat(options.plan()).isEmpty();
    assertThat(options.out()).isEqualTo(Path.of("spillway-chaos"));
  }

  @Test
  void shouldTakeTheWholePlanWhenItStandsInTheArgument() {
    AgentOptions options = parse("plan=" + INLINE + ", out=/tmp/chaos");
    assertThat(options.plan())
        .contains(new PlanSource("the plan in the agent argument", Optional.of(INLINE)));
    assertThat(options.out()).isEqualTo(Path.of("/tmp/chaos"));
    assertThatExceptionOfType(PlanException.class)
        .isThrownBy(() -> options.plan().orElseThrow().read())
        .withMessage("the plan in the agent argument, line 1: rule 1 has no 'when'");
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"/a,b", "/a\\b", "/a\\,b", "/a\\", "plain"})
  void shouldReadBackAnyPathWhenItWasEscaped(String path) {
    String argument = "out=" + AgentArgument.escape(path) + ",environment=x";
    assertThat(AgentArgument.parse(argument, AgentOptions.KEYS))
        .isEqualTo(Map.of("out", path, "environment", "x"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "plan|'plan' is not KEY=VALUE with one of the keys plan, out, environment, config",
        "pla=x|'pla=x' is not KEY=VALUE",
        "=x|'=x' is not KEY=VALUE",
        "plan=|'plan' has no value",
        "plan=a,plan=b|'plan' is given twice",
        "command=status|'command=status' is not KEY=VALUE",
      })
  void shouldRefuseTheArgumentWhenItIsWrong(String argument, String problem) {
    assertThatExceptionOfType(PlanException.class)
        .isThrownBy(() -> parse(argument))
        .withMessageStartingWith("agent argument: " + problem);
  }

  @Test
  void shouldRefuseANameThatBeginsLikeASettingAndIsNone() {
    variables.put("SPILLWAY_CHAOS_PLAM", "x");
    assertThatExceptionOfType(PlanException.class)
        .isThrownBy(() -> parse(null))
        .withMessage(
            "environment variable SPILLWAY_CHAOS_PLAM: there is no such setting; the names are"
                + " SPILLWAY_CHAOS_PLAN, SPILLWAY_CHAOS_OUT, SPILLWAY_CHAOS_ENVIRONMENT,"
                + " SPILLWAY_CHAOS_CONFIG");
    system.setProperty("spillway.chaos.enviroment", "x");
    assertThatExceptionOfType(PlanException.class)
        .isThrownBy(() -> parse(null))
        .withMessageStartingWith("system property spillway.chaos.enviroment: there is no such");
  }

  @Test
  void shouldRefuseTheSettingsFileWhenItIsWrongOrMissing() throws IOException {
    Path file = Files.writeString(dir.resolve("chaos.yaml"), "out: x\nplam: y\n");
    assertThatExceptionOfType(PlanException.class)
        .isThrownBy(() -> parse("config=" + file))
        .withMessage(
            file
                + ", line 2: the settings file has 'plam'; the keys allowed are plan, out,"
                + " environment");
    assertThatExceptionOfType(PlanException.class)
        .isThrownBy(() -> parse("config=" + dir.resolve("none.yaml")))
        .withMessageEndingWith("there is no such file; the settings file is wanted there, as YAML");
  }

  private AgentOptions parse(String argument) {
    return AgentOptions.of(
        AgentArgument.parse(argument, AgentOptions.KEYS), system, Map.copyOf(variables));
  }

  private static String value(String key, AgentOptions options) {
    return switch (key) {
      case "plan" -> options.plan().orElseThrow().name();
      case "out" -> options.out().toString();
      default -> options.environment().orElseThrow();
    };
  }
}
