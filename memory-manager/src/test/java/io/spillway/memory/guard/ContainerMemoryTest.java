package io.spillway.memory.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.memory.guard.GuardStatus.Phase;
import io.spillway.memory.guard.MemoryReader.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the kernel's files say, read from directories that look like its own. */
class ContainerMemoryTest {
  private static final String NO_LIMIT_V1 = "9223372036854771712\n";
  private static final GuardSettings SETTINGS = new GuardSettings(true, 0.92, 0.85, 100);

  @TempDir Path root;
  private Path process;
  private Path mounted;

  @BeforeEach
  void makeProcess() throws IOException {
    process = Files.createDirectory(root.resolve("proc"));
    mounted = Files.createDirectories(root.resolve("cgroup"));
    write(process, "status", "Name:\tjava\nVmHWM:\t  900 kB\nVmRSS:\t     700 kB\nThreads:\t40\n");
  }

  private static void write(Path directory, String file, String text) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(file), text);
  }

  private void v1(String path, String mountRoot) throws IOException {
    write(
        process,
        "cgroup",
        "9:name=systemd:/\n4:cpuset,memory:" + path + "\n1:cpu:/elsewhere\n0::/unified\n");
    write(
        process,
        "mountinfo",
        "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n"
            + "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
            + "35 31 0:32 "
            + mountRoot
            + " "
            + mounted
            + " rw,relatime shared:7 master:2 - cgroup cgroup rw,cpuset,memory\n"
            + "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  }

  private void v2(String path, String mountRoot) throws IOException {
    write(process, "cgroup", "0::" + path + "\n");
    write(
        process,
        "mountinfo",
        "30 23 0:26 " + mountRoot + " " + mounted + " rw,nosuid - cgroup2 cgroup rw,nsdelegate\n");
  }

  private static void v1Group(Path group, String limit, long used) throws IOException {
    write(group, "memory.limit_in_bytes", limit);
    write(group, "memory.usage_in_bytes", used + "\n");
    write(
        group,
        "memory.stat",
        "cache 1\ninactive_file 1\nactive_file 1\ntotal_inactive_file 30\ntotal_active_file 20\n");
    write(group, "memory.use_hierarchy", "1\n");
  }

  private static void v2Group(Path group, String limit, long used) throws IOException {
    write(group, "memory.max", limit);
    write(group, "memory.current", used + "\n");
    write(group, "memory.stat", "anon 7\nfile 50\ninactive_file 30\nactive_file 20\n");
  }

  private Reading read() throws Exception {
    return ContainerMemory.find(process).read();
  }

  private String reasonOff() {
    GuardStatus status = started().status();
    assertThat(status.phase()).isEqualTo(Phase.OFF);
    return status.reason();
  }

  private ContainerGuard started() {
    ContainerGuard guard = ContainerGuard.of(SETTINGS, process);
    guard.start(() -> 0, bytes -> {}, event -> {});
    return guard;
  }

  @Test
  void shouldReadVersion1WithoutTheFileCache() throws Exception {
    v1("/pod/executor", "/");
    Path group = mounted.resolve("pod/executor");
    v1Group(group, "1000\n", 800);
    v1Group(mounted.resolve("pod"), NO_LIMIT_V1, 2000);
    v1Group(mounted, NO_LIMIT_V1, 99000);

    assertThat(read()).isEqualTo(new Reading(group.toString(), 750, 1000, 700 * 1024));
  }

  @Test
  void shouldReadVersion2WithoutTheFileCache() throws Exception {
    v2("/pod/executor", "/");
    Path group = mounted.resolve("pod/executor");
    v2Group(group, "1000\n", 800);
    v2Group(mounted.resolve("pod"), "max\n", 2000);

    assertThat(read()).isEqualTo(new Reading(group.toString(), 750, 1000, 700 * 1024));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldGoByTheGroupNearestToItsLimitWhenGroupsNest(boolean version2) throws Exception {
    Path pod = mounted.resolve("pod");
    if (version2) {
      v2("/pod/executor", "/");
      v2Group(pod.resolve("executor"), "1000\n", 550);
      v2Group(pod, "2000\n", 1850);
    } else {
      v1("/pod/executor", "/");
      v1Group(pod.resolve("executor"), "1000\n", 550);
      v1Group(pod, "2000\n", 1850);
      v1Group(mounted, NO_LIMIT_V1, 99000);
    }

    assertThat(read()).isEqualTo(new Reading(pod.toString(), 1800, 2000, 700 * 1024));
  }

  @Test
  void shouldLeaveOutGroupsAboveThatDoNotCountThoseBelow() throws Exception {
    v1("/pod/executor", "/");
    Path group = mounted.resolve("pod/executor");
    v1Group(group, "1000\n", 550);
    v1Group(mounted.resolve("pod"), "100\n", 100);
    write(mounted.resolve("pod"), "memory.use_hierarchy", "0\n");

    assertThat(read().group()).isEqualTo(group.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/docker/abc", "/not/mounted/here", "/../outside"})
  void shouldFindItsGroupAtTheMountPointWhenTheContainerSeesOnlyThat(String path) throws Exception {
    v1(path, "/docker/abc");
    v1Group(mounted, "1000\n", 800);
    assertThat(read().usedBytes()).isEqualTo(750);

    v2(path, "/docker/abc");
    v2Group(mounted, "2000\n", 900);
    assertThat(read()).isEqualTo(new Reading(mounted.toString(), 850, 2000, 700 * 1024));
  }

  @Test
  void shouldFindTheMountPointWhenItsNameHasABlank() throws Exception {
    mounted = Files.createDirectory(root.resolve("my groups"));
    v2Group(mounted, "1000\n", 800);
    write(process, "cgroup", "0::/\n");
    write(process, "mountinfo", "30 23 0:26 / " + root + "/my\\040groups rw - cgroup2 cgroup rw\n");

    assertThat(read().group()).isEqualTo(mounted.toString());
  }

  @Test
  void shouldFollowALimitThatIsChangedWhileItRuns() throws Exception {
    v2("/", "/");
    v2Group(mounted, "1000\n", 800);
    ContainerMemory memory = ContainerMemory.find(process);

    write(mounted, "memory.max", "5000\n");
    assertThat(memory.read().limitBytes()).isEqualTo(5000);

    write(mounted, "memory.max", "max\n");
    assertThat(memory.read().limitBytes()).isEqualTo(Reading.NO_LIMIT);
  }

  @Test
  void shouldGoByTheProcessWhenTheGroupsUseCannotBeRead() throws Exception {
    v2("/", "/");
    v2Group(mounted, "1000000\n", 800);

    write(mounted, "memory.stat", "anon 7\n");
    assertThat(read().usedBytes()).as("no file cache in memory.stat").isEqualTo(700 * 1024);

    Files.delete(mounted.resolve("memory.stat"));
    assertThat(read().usedBytes()).as("no memory.stat").isEqualTo(700 * 1024);

    v2Group(mounted, "1000000\n", 800);
    write(mounted, "memory.current", "many\n");
    assertThat(read().usedBytes()).as("no number").isEqualTo(700 * 1024);

    Files.delete(process.resolve("status"));
    assertThatThrownBy(this::read)
        .isInstanceOf(NoContainerException.class)
        .hasMessageContaining("memory.current")
        .hasMessageContaining("'many'");
  }

  @Test
  void shouldReadTheGroupWhenTheProcessCannotBeRead() throws Exception {
    v2("/", "/");
    v2Group(mounted, "1000\n", 800);
    Files.delete(process.resolve("status"));

    assertThat(read()).isEqualTo(new Reading(mounted.toString(), 750, 1000, -1));
  }

  @Test
  void shouldBeOffWithAReasonWhenNoGroupHasALimit() throws Exception {
    v1("/pod", "/");
    v1Group(mounted.resolve("pod"), NO_LIMIT_V1, 800);
    v1Group(mounted, NO_LIMIT_V1, 800);
    assertThat(reasonOff()).contains(mounted.resolve("pod").toString(), "memory limit");

    v2("/", "/");
    assertThat(reasonOff()).as("no memory.max, as at the root").contains("memory limit");

    v2("/pod/executor", "/");
    v2Group(mounted.resolve("pod/executor"), "max\n", 800);
    v2Group(mounted.resolve("pod"), "max\n", 900);
    assertThat(reasonOff()).as("max on all levels").contains("memory limit");
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372036854771712", "9223372036854710272", "9223372036854775807"})
  void shouldTakeVersion1sHugeNumberForNoLimitWhateverThePageSize(String none) throws Exception {
    v1("/pod", "/");
    v1Group(mounted.resolve("pod"), none + "\n", 800);
    assertThat(reasonOff()).contains("memory limit");
  }

  @Test
  void shouldGoByTheLimitsThatCanBeReadWhenAGroupAboveCannot() throws Exception {
    v2("/pod/executor", "/");
    Path group = mounted.resolve("pod/executor");
    v2Group(group, "1000\n", 800);
    Files.createDirectories(mounted.resolve("pod/memory.max"));

    assertThat(read()).isEqualTo(new Reading(group.toString(), 750, 1000, 700 * 1024));
  }

  @Test
  void shouldBeOffWithAReasonWhenNothingIsMounted() throws Exception {
    v1("/pod", "/");
    write(process, "mountinfo", "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n");
    assertThat(reasonOff()).contains("no memory control groups are mounted");

    write(process, "cgroup", "1:cpu:/\n");
    assertThat(reasonOff()).contains("in no memory control group");
  }

  @Test
  void shouldBeOffWithAReasonWhenTheFilesCannotBeRead() throws Exception {
    assertThat(reasonOff()).contains("cannot be read", process.resolve("cgroup").toString());

    v2("/", "/");
    v2Group(mounted, "plenty\n", 800);
    assertThat(reasonOff())
        .contains("cannot be read", mounted.resolve("memory.max").toString(), "'plenty'");

    // A directory in its place cannot be read by anybody, root included.
    Files.delete(mounted.resolve("memory.max"));
    Files.createDirectory(mounted.resolve("memory.max"));
    assertThat(reasonOff()).contains("cannot be read");
  }

  @Test
  void shouldBeOffWithAReasonWhenItIsSwitchedOff() throws Exception {
    v2("/", "/");
    v2Group(mounted, "1000\n", 990);
    GuardSettings off = new GuardSettings(false, 0.92, 0.85, 100);

    try (ContainerGuard guard = ContainerGuard.of(off, process)) {
      guard.start(() -> 0, bytes -> {}, event -> {});
      assertThat(guard.status().phase()).isEqualTo(Phase.OFF);
      assertThat(guard.status().reason()).contains("switched off");
      assertThat(guard.admits(1 << 30)).isTrue();
    }
    try (ContainerGuard guard = started()) {
      assertThat(guard.status().phase()).as("the same, switched on").isEqualTo(Phase.REFUSING);
      assertThat(guard.admits(1)).isFalse();
    }
  }
}
