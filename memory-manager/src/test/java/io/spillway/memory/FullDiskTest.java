package io.spillway.memory;

import static org.assertj.core.api.Assertions.assertThat;
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

/** Disks that are really full: small file systems in memory, seen by a JVM of its own only. */
@Timeout(300)
class FullDiskTest {
  private static final String MOUNT =
      "mount -t tmpfs -o size=$1k none $0/small && mount -t tmpfs -o size=$2k none $0/large && ";

  /** What is there before and after the job; the mounts go with the last process that sees them. */
  private static final String COUNT = "find $0/small $0/large -type f | wc -l";

  @TempDir private Path root;

  @BeforeEach
  void requireMounts() throws Exception {
    Files.createDirectory(root.resolve("small"));
    Files.createDirectory(root.resolve("large"));
    List<String> mounting = List.of("unshare", "-m", "sh", "-c", MOUNT + "true");
    assumeTrue(
        run(mounting, List.of("64", "64")).exit() == 0, "file systems cannot be mounted here");
  }

  private record Ended(int exit, List<String> lines) {
    List<String> with(String prefix) {
      return lines.stream().filter(line -> line.startsWith(prefix)).toList();
    }
  }

  @Test
  void shouldGoOnInTheLargerDirectoryWhenTheOtherIsReallyFull() throws Exception {
    Ended ended = job(1024, 16 * 1024);

    assertThat(ended.exit()).as("%s", ended.lines()).isZero();
    assertThat(ended.with(FullDiskJob.SUM))
        .containsExactly(FullDiskJob.SUM + FullDiskJob.PAGES * (FullDiskJob.PAGES - 1) / 2);
    assertThat(ended.with(FullDiskJob.LEFT)).containsExactly(FullDiskJob.LEFT + "0 after 64");
    assertThat(ended.lines()).as("files left").endsWith("0");
  }

  @Test
  void shouldFailTheTaskAndNotTheExecutorWhenBothAreReallyFull() throws Exception {
    Ended ended = job(1024, 1024);

    assertThat(ended.exit()).as("%s", ended.lines()).isZero();
    assertThat(ended.with(FullDiskJob.FAILED)).hasSize(1);
    assertThat(ended.with(FullDiskJob.FAILED).get(0)).contains("true", "Job aborted");
    assertThat(ended.lines())
        .anyMatch(line -> line.contains("No space left") && line.contains("spark.local.dir"));
    assertThat(ended.with(FullDiskJob.LEFT)).containsExactly(FullDiskJob.LEFT + "0 after 64");
    assertThat(ended.lines()).as("files left").endsWith("0");
  }

  private Ended job(int smallKib, int largeKib) throws Exception {
    List<String> command = new ArrayList<>(List.of("unshare", "-m", "sh", "-c"));
    // "$@" is the JVM once the two sizes are gone.
    command.add("" + MOUNT + "shift 2 && \"$@\"; code=$?; " + COUNT + "; exit $code");
    List<String> arguments = new ArrayList<>();
    arguments.add(Integer.toString(smallKib));
    arguments.add(Integer.toString(largeKib));
    arguments.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    arguments.add("-Xmx512m");
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens"))
        .forEach(arguments::add);
    arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
    arguments.add(FullDiskJob.class.getName());
    arguments.add(root.resolve("small") + "," + root.resolve("large"));
    return run(command, arguments);
  }

  private Ended run(List<String> command, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(command);
    all.add(root.toString());
    all.addAll(arguments);
    Path output = root.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().remove("SPARK_LOCAL_DIRS");
    Process process = builder.start();
    if (!process.waitFor(240, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    return new Ended(process.exitValue(), Files.readAllLines(output));
  }
}
