package io.spillway.memory;

import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The proof, in a container that really kills: a job whose native state is four times the room that
 * the container has for it.
 */
@Timeout(120)
class ContainerKillTest {
  private static final long LIMIT_BYTES = 420 * MIB;
  private static final long HEAP_BYTES = 128 * MIB;

  /** Four times what the heap leaves, though the JVM itself takes a part of that. */
  private static final int PAGES_OF_A_TASK =
      (int) (4 * (LIMIT_BYTES - HEAP_BYTES) / (64 * 1024) / ContainerJob.TASKS);

  /** How a process ends that the kernel kills: 128 and the number of SIGKILL. */
  private static final int KILLED = 137;

  @TempDir Path directory;

  @BeforeEach
  void requirePages() {
    assumeTrue(System.getProperty("native.skip") == null, "built without the C library");
  }

  private record Ended(int exit, String output) {
    List<String> result() {
      return output
          .lines()
          .filter(line -> line.startsWith(ContainerJob.DONE))
          .map(line -> List.of(line.split(" ", -1)))
          .findFirst()
          .orElse(List.of());
    }
  }

  @Test
  void shouldEndWithTheRightResultWhenTheGuardIsOn() throws Exception {
    Ended ended = run(true);

    assertThat(ended.exit()).as(ended.output()).isZero();
    ContainerJob.Sums expected = ContainerJob.expected(PAGES_OF_A_TASK);
    List<String> result = ended.result();
    assertThat(result.subList(1, 3))
        .as("sums over %d bytes of state", ContainerJob.stateBytes(PAGES_OF_A_TASK))
        .containsExactly(Long.toString(expected.values()), Long.toString(expected.places()));
    assertThat(Long.parseLong(result.get(3)))
        .as("spilled bytes: what was never in memory at once")
        .isGreaterThan(ContainerJob.stateBytes(PAGES_OF_A_TASK) - (LIMIT_BYTES - HEAP_BYTES));
    assertThat(Long.parseLong(result.get(4)))
        .as("peak native bytes")
        .isLessThan(LIMIT_BYTES - HEAP_BYTES);
    assertThat(result.get(5)).as("native bytes left").isEqualTo("0");
    assertThat(Long.parseLong(result.get(6))).as("episodes").isPositive();
    assertThat(ended.output().lines().filter(line -> line.contains("The container is near its")))
        .as("one warning for each")
        .hasSize(Integer.parseInt(result.get(6)))
        .allMatch(line -> line.contains(" of " + LIMIT_BYTES + " bytes used in "));
  }

  @Test
  void shouldBeKilledWhenTheGuardIsOff() throws Exception {
    Ended ended = run(false);

    assertThat(ended.exit()).as(ended.output()).isEqualTo(KILLED);
    assertThat(ended.result()).isEmpty();
  }

  private Ended run(boolean guarded) throws IOException, InterruptedException {
    try (MemoryGroupFixture group =
        MemoryGroupFixture.make(LIMIT_BYTES)
            .orElseGet(() -> abort("memory control groups cannot be made here"))) {
      List<String> command = new ArrayList<>();
      // The shell enters the group, and becomes the JVM.
      command.addAll(
          List.of("sh", "-c", "echo $$ > \"$0\" && exec \"$@\"", group.processes().toString()));
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-Xms" + HEAP_BYTES, "-Xmx" + HEAP_BYTES, "-XX:+AlwaysPreTouch"));
      ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
          .filter(argument -> argument.startsWith("--add-opens"))
          .forEach(command::add);
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.add(ContainerJob.class.getName());
      command.add(Boolean.toString(guarded));
      command.add(Integer.toString(PAGES_OF_A_TASK));
      command.add(directory.toString());
      Path output = directory.resolve("output");
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
      // It would win over the directory of this test, where what a killed job left is deleted.
      builder.environment().remove("SPARK_LOCAL_DIRS");
      Process process = builder.start();
      boolean ended = process.waitFor(60, TimeUnit.SECONDS);
      if (!ended) {
        process.destroyForcibly().waitFor();
      }
      assertThat(ended).as("ended in time:%n%s", Files.readString(output)).isTrue();
      return new Ended(process.exitValue(), Files.readString(output));
    }
  }
}
