package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged agent, given to JVMs that have neither the module nor its libraries. */
class AgentJarIT {
  private static final String PLAN =
      """
      version: 1
      seed: 7
      rules:
        - {point: native.alloc, fault: out-of-memory, when: {nth: 3}, where: {partition: 1}}
        - {point: task.batch, fault: exception, when: {nth: 2}, where: {partition: 2}}
      """;

  @TempDir Path dir;

  @Test
  void shouldInjectAndReportWhenGivenAsJavaAgent() throws Exception {
    ForkedJvm.Outcome outcome = run(options(PLAN, ""));
    assertThat(outcome.exitCode()).as(outcome.text()).isZero();
    assertThat(outcome.out())
        .containsExactly(
            "attempt 0 denied 0", "attempt 0 denied 1", "attempt 1 denied 0", "attempt 0 denied 0");
    assertThat(outcome.text()).contains("spillway-chaos: armed 2 rules with seed 7");
    assertThat(
            ChaosFixture.keys(
                ChaosFixture.fired(dir.resolve("out/fired-" + outcome.pid() + ".jsonl"))))
        .hasSize(2)
        .allMatch(key -> key.matches(".*/0/1/0/native.alloc/3/1|.*/0/2/0/task.batch/2/2"));
    JsonNode points = ChaosFixture.json(dir.resolve("out/points-" + outcome.pid() + ".json"));
    assertThat(points.get("pid").asLong()).isEqualTo(outcome.pid());
    for (JsonNode point : points.get("points")) {
      boolean armed = point.get("armed").asBoolean();
      assertThat(point.get("instrumented").asBoolean()).as("%s", point).isEqualTo(armed);
      assertThat(point.get("fired").asInt()).as("%s", point).isEqualTo(armed ? 1 : 0);
    }
  }

  @Test
  void shouldInjectWhenTheJobHasTheModuleOnItsClassPathToo() throws Exception {
    ForkedJvm.Outcome outcome = run(options(PLAN, ""), ForkedJvm.classPath());
    assertThat(outcome.exitCode()).as(outcome.text()).isZero();
    assertThat(outcome.out()).contains("attempt 0 denied 1", "attempt 1 denied 0");
  }

  @Test
  void shouldDisarmThatPointAloneWhenASeamHasAnotherSignature() throws Exception {
    ForkedJvm.Outcome outcome =
        run(options(PLAN, ""), ForkedJvm.classPathWithoutTheModule(), "changed-seam");
    assertThat(outcome.exitCode()).as(outcome.text()).isZero();
    String reason =
        "expected io.spillway.memory.PageSource.allocate(J)J, found no method of that name";
    assertThat(outcome.text()).contains("the point native.alloc is disarmed: " + reason);
    assertThat(outcome.out())
        .containsExactly(
            "changed seam ChangedSeam",
            "attempt 0 denied 0",
            "attempt 0 denied 0",
            "attempt 1 denied 0",
            "attempt 0 denied 0");
    JsonNode point =
        ChaosFixture.point(
            ChaosFixture.json(dir.resolve("out/points-" + outcome.pid() + ".json")),
            "native.alloc");
    assertThat(point.get("instrumented").asBoolean()).isFalse();
    assertThat(point.get("reason").asText()).isEqualTo(reason);
  }

  @Test
  void shouldEndTheJvmWithCodeTwoWhenThePlanIsWrong() throws Exception {
    ForkedJvm.Outcome outcome = run(options(PLAN.replace("task.batch", "task.bach"), ""));
    assertThat(outcome.exitCode()).as(outcome.text()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.text())
        .isEqualTo(
            "spillway-chaos: %s, line 5: rule 2 has the unknown point 'task.bach'; the points are %s"
                .formatted(dir.resolve("plan.yaml"), FaultPoint.ids()));
    assertThat(dir.resolve("out")).doesNotExist();
  }

  @Test
  void shouldEndTheJvmWithCodeTwoWhenTheArgumentIsWrong() throws Exception {
    ForkedJvm.Outcome outcome = run("plam=x");
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.text()).startsWith("spillway-chaos: agent argument: 'plam=x' is not");
  }

  @Test
  void shouldArmNothingOutsideThePlansEnvironment() throws Exception {
    String plan = PLAN + "environment: staging\n";
    ForkedJvm.Outcome production = run(options(plan, ",environment=production"));
    assertThat(production.exitCode()).as(production.text()).isZero();
    assertThat(production.out()).hasSize(4).containsOnly("attempt 0 denied 0");
    assertThat(production.text())
        .contains("is for the environment 'staging' and this JVM is in 'production'")
        .contains("nothing is armed");
    assertThat(dir.resolve("out")).doesNotExist();
    assertThat(run(options(plan, ",environment=staging")).out()).contains("attempt 1 denied 0");
  }

  @Test
  void shouldArmNothingWhenThereIsNoPlan() throws Exception {
    ForkedJvm.Outcome outcome = run("");
    assertThat(outcome.exitCode()).as(outcome.text()).isZero();
    assertThat(outcome.out()).hasSize(4).containsOnly("attempt 0 denied 0");
    assertThat(outcome.text()).contains("no plan given").contains("nothing is armed");
  }

  @Test
  void shouldCarryItsLibrariesUnderItsOwnNamesAndTheirLicences() throws IOException {
    try (JarFile jar = new JarFile(ForkedJvm.AGENT.toFile())) {
      List<String> names = jar.stream().map(ZipEntry::getName).toList();
      assertThat(names)
          .filteredOn(name -> name.endsWith(".class"))
          .allMatch(name -> name.startsWith("io/spillway/chaos/"));
      assertThat(names).contains("META-INF/LICENSE", "META-INF/NOTICE", "META-INF/licenses/ASM");
      assertThat(names).contains("META-INF/licenses/THIRD-PARTY.txt");
      assertThat(names).doesNotHaveDuplicates();
    }
  }

  private String options(String plan, String more) throws IOException {
    Path file = Files.writeString(dir.resolve("plan.yaml"), plan);
    return "plan=" + file + ",out=" + dir.resolve("out") + more;
  }

  private ForkedJvm.Outcome run(String agentArgument) throws Exception {
    return run(agentArgument, ForkedJvm.classPathWithoutTheModule());
  }

  private ForkedJvm.Outcome run(String agentArgument, String classPath, String... arguments)
      throws Exception {
    return new ForkedJvm(dir)
        .agent(agentArgument)
        .classPath(classPath)
        .run(ForkedJob.class.getName(), arguments);
  }
}
