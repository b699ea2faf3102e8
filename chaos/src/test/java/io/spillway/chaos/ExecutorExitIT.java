package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Executors of a real cluster end with 137, and the job goes on. */
class ExecutorExitIT {
  @TempDir Path dir;

  @Test
  void shouldLoseOneExecutorAndGiveTheRightResultWhenEveryTaskWouldEndItsOwn() throws Exception {
    ForkedJvm.Outcome job = run("{point: executor.exit, fault: halt, when: {nth: 1}}");
    assertThat(job.exitCode()).as(job.text()).isZero();
    assertThat(job.out()).contains("right");
    assertThat(job.out()).filteredOn(line -> line.startsWith("lost ")).hasSize(1);
    assertThat(job.out()).anyMatch(line -> line.matches("lost [01]: .*137.*"));
    List<JsonNode> fired = fired();
    assertThat(fired).hasSize(1);
    assertThat(fired.get(0).get("fault").asText()).isEqualTo("halt");
    assertThat(fired.get(0).get("executor").asText()).isIn("0", "1");
    assertThat(names("exit-")).hasSize(1).allMatch(name -> name.matches("exit-app-.*-rule1-1"));
  }

  @Test
  void shouldLoseItInTheMiddleOfATaskWhenALaterBatchIsNamed() throws Exception {
    ForkedJvm.Outcome job =
        run(
            "{point: executor.exit, fault: halt, when: {nth: 100}, where: {partition: 2}, limits:"
                + " {total: 2}}");
    assertThat(job.exitCode()).as(job.text()).isZero();
    assertThat(job.out()).contains("right");
    List<JsonNode> fired = fired();
    assertThat(fired).hasSizeBetween(1, 2).allMatch(line -> line.get("partition").asInt() == 2);
    assertThat(fired).allMatch(line -> line.get("call").asInt() == 100);
    assertThat(job.out())
        .filteredOn(line -> line.startsWith("lost "))
        .hasSameSizeAs(fired)
        .allMatch(line -> line.contains("137"));
  }

  private ForkedJvm.Outcome run(String rule) throws Exception {
    String yaml = "version: 1\nseed: 7\nrules:\n  - " + rule + "\n";
    Path plan = Files.writeString(dir.resolve("plan.yaml"), yaml);
    return new ForkedJvm(dir)
        .sparkHome()
        .run(
            LosingClusterJob.class.getName(),
            "-javaagent:" + ForkedJvm.AGENT + "=plan=" + plan + ",out=" + dir.resolve("out"));
  }

  private List<JsonNode> fired() throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String name : names("fired-")) {
      lines.addAll(ChaosFixture.fired(dir.resolve("out").resolve(name)));
    }
    return lines;
  }

  private List<String> names(String prefix) throws IOException {
    try (Stream<Path> files = Files.list(dir.resolve("out"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith(prefix))
          .toList();
    }
  }
}
