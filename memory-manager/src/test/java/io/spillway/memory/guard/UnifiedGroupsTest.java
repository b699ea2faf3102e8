package io.spillway.memory.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.spillway.memory.guard.MemoryReader.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Control groups of version 2 as the kernel itself describes them to a process that is in one, two
 * levels deep. Where version 1 has the memory controller, as on systems with both, the kernel has
 * no limits to read here; those stand in files of this test's, in the place where the groups are.
 */
@Timeout(60)
class UnifiedGroupsTest {
  /** Only this shell and its children see the mount; it leaves the groups and removes them. */
  private static final String IN_A_GROUP =
      """
      mount -t cgroup2 none $0 || exit 9
      own=$0/spillway-$$
      mkdir -p $own/leaf && echo $$ > $own/leaf/cgroup.procs || exit 9
      for file in cgroup mountinfo status; do cat /proc/self/$file > $1/$file; done
      echo $$ > $0/cgroup.procs
      rmdir $own/leaf $own
      echo /spillway-$$/leaf > $1/expected
      """;

  @TempDir private Path root;

  @Test
  void shouldFindTheGroupThatTheKernelNamesAndItsParents() throws Exception {
    Path mounted = Files.createDirectory(root.resolve("groups"));
    Path process = Files.createDirectory(root.resolve("process"));
    describe(mounted, process);
    String path = Files.readString(process.resolve("expected")).strip();
    assertThat(Files.readAllLines(process.resolve("cgroup"))).contains("0::" + path);
    // As on a system that has version 2 only, and there only what this test has mounted.
    keep(process.resolve("cgroup"), line -> line.startsWith("0::"));
    keep(
        process.resolve("mountinfo"),
        line -> !line.contains(" - cgroup") || line.contains(mounted.toString()));
    Path leaf = mounted.resolve(path.substring(1));
    limit(leaf, "max", 500);
    limit(leaf.getParent(), "1000000", 900_000);
    limit(mounted, "max", 5_000_000);

    Reading reading = ContainerMemory.find(process).read();

    assertThat(reading.group()).isEqualTo(leaf.getParent().toString());
    assertThat(reading.usedBytes()).isEqualTo(900_000 - 50);
    assertThat(reading.limitBytes()).isEqualTo(1_000_000);
    assertThat(reading.residentBytes()).as("of the kernel's own status file").isPositive();
    limit(leaf, "800", 500);
    limit(leaf.getParent(), "max", 900_000);
    assertThat(ContainerMemory.find(process).read().group()).isEqualTo(leaf.toString());
  }

  private static void describe(Path mounted, Path process)
      throws IOException, InterruptedException {
    List<String> command =
        List.of("unshare", "-m", "sh", "-c", IN_A_GROUP, mounted.toString(), process.toString());
    Process shell;
    try {
      shell = new ProcessBuilder(command).inheritIO().start();
    } catch (IOException e) {
      abort("unshare cannot be run here: " + e.getMessage());
      return;
    }
    assertThat(shell.waitFor(30, TimeUnit.SECONDS)).isTrue();
    if (shell.exitValue() != 0) {
      abort("control groups of version 2 cannot be mounted here, exit code " + shell.exitValue());
    }
  }

  private static void keep(Path file, Predicate<String> wanted) throws IOException {
    Files.write(file, Files.readAllLines(file).stream().filter(wanted).toList());
  }

  private static void limit(Path group, String max, long current) throws IOException {
    Files.createDirectories(group);
    Files.writeString(group.resolve("memory.max"), max + "\n");
    Files.writeString(group.resolve("memory.current"), current + "\n");
    Files.writeString(group.resolve("memory.stat"), "inactive_file 30\nactive_file 20\n");
  }
}
