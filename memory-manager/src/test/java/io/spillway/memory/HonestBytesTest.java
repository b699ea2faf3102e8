package io.spillway.memory;

import static io.spillway.memory.Fixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Honest bytes: what a process holds follows what the ledger says, up and down, in a process of its
 * own with a default environment.
 */
@Timeout(400)
class HonestBytesTest {
  private static final long SEED = 20261130;
  private static final int ROUNDS = 20;
  private static final int SOAK_ROUNDS = 200;
  private static final long ROOM_AT_THE_PEAK = 32 * MIB;
  private static final long ROOM_AFTERWARDS = 64 * MIB;
  private static final Pattern FIGURE = Pattern.compile("(\\w+)=(-?[0-9]+)");

  @BeforeEach
  void needsTheLibrary() {
    assumeTrue(System.getProperty("native.skip") == null, "built without the C library");
    assertThat(NativePages.available()).as("the C library is in target/classes").isTrue();
  }

  @ParameterizedTest(name = "{0} thread(s), seed " + SEED)
  @ValueSource(ints = {1, 4})
  void shouldHoldWhatItChargesWhenBlocksOfAllSizesComeAndGo(int threads) throws Exception {
    assertThatItHoldsWhatItCharges(threads, ROUNDS);
  }

  @Tag("soak")
  @ParameterizedTest(name = "{0} thread(s), seed " + SEED)
  @ValueSource(ints = {1, 4})
  void shouldHoldWhatItChargesWhenItGoesOnForLong(int threads) throws Exception {
    assertThatItHoldsWhatItCharges(threads, SOAK_ROUNDS);
  }

  private static void assertThatItHoldsWhatItCharges(int threads, int rounds) throws Exception {
    Map<String, Long> figures = workload("pages", threads, rounds);

    long charged = figures.get("ledgerPeak");
    assertThat(charged).as("%s", figures).isBetween(384 * MIB, 512 * MIB);
    assertThat(figures.get("peakGrowth"))
        .as("what was charged was held, and little beside it: %s", figures)
        .isBetween(charged * 9 / 10, charged * 11 / 10 + ROOM_AT_THE_PEAK);
    assertThat(figures.get("leftGrowth"))
        .as("what was freed has left the process: %s", figures)
        .isLessThan(ROOM_AFTERWARDS);
    assertThat(figures).containsEntry("used", 0L).containsEntry("spark", 0L);
  }

  /** The measurement sees what it is there to see: malloc keeps what it frees. */
  @Test
  void shouldMissTheMarkWhenBlocksComeFromPlainMalloc() throws Exception {
    Map<String, Long> figures = workload("malloc", 1, ROUNDS);

    assertThat(figures.get("leftGrowth")).as("%s", figures).isGreaterThan(ROOM_AFTERWARDS);
  }

  private static Map<String, Long> workload(String source, int threads, int rounds)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens"))
        .forEach(command::add);
    // The heap is resident from the start, so that what grows is native.
    command.addAll(List.of("-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(HonestWorkload.class.getName());
    command.addAll(
        List.of(source, String.valueOf(threads), String.valueOf(rounds), String.valueOf(SEED)));
    Path output = Files.createTempFile("honest", ".log");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.startsWith("MALLOC_"));
    builder.environment().remove("GLIBC_TUNABLES");
    builder.environment().remove("LD_PRELOAD");
    Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    try {
      int exit = process.waitFor();
      String text = Files.readString(output, StandardCharsets.UTF_8);
      assertThat(exit).as(text).isZero();
      String line = text.lines().filter(l -> l.startsWith("honest ")).findFirst().orElseThrow();
      System.out.println(source + ", " + threads + " thread(s): " + line);
      return FIGURE
          .matcher(line)
          .results()
          .collect(Collectors.toMap(m -> m.group(1), m -> Long.parseLong(m.group(2))));
    } finally {
      process.destroyForcibly();
      Files.delete(output);
    }
  }
}
