package io.spillway.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.spillway.report.ExecutorLost;
import io.spillway.resilience.process.ExecutorState;
import io.spillway.resilience.process.ProcessCase;
import io.spillway.resilience.process.ProcessJob;
import io.spillway.resilience.process.ProcessOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What happens to executors in the real world: they are killed, lose files, run out of disk, are
 * told to go. Each time the answer is right, or the failure is a clean one; nothing is left in any
 * executor that lives.
 */
@Timeout(value = 12, unit = TimeUnit.MINUTES)
class ProcessesIT {
  /** How a process ends that the kernel kills: 128 and the number of SIGKILL. */
  private static final int KILLED = 137;

  private static final long CONTAINER_BYTES = 64 << 20;

  /** A minute in the middle of a join that holds state: the disturbance comes in it. */
  private static final String HELD_UP =
      """
      version: 1
      seed: 7
      rules:
        - point: task.batch
          fault: {delay: {millis: 60000}}
          when: {from: 3}
          where: {label: disturbed, partition: 1, operator: HashJoin}
          limits: {total: 1}
      """;

  @TempDir private Path work;

  @Test
  void shouldAnswerRightWhenAnExecutorIsKilledInTheMiddleOfAStage() throws Exception {
    try (ClusterProcess cluster =
        new ClusterProcess.Setup(work, ProcessCase.DISTURBED).plan(HELD_UP).start()) {
      ClusterProcess.Fired victim = cluster.awaitFired();
      assertThat(victim.handle().destroyForcibly()).as("a signal that cannot be caught").isTrue();

      ProcessOutcome outcome = cluster.end();
      assertKilled(outcome, victim.executor());
      assertAllRight(outcome);
      assertSpilled(outcome);
      assertNothingLeft(outcome, Set.of(victim.executor()));
      ProcessReport.of("executor killed in the middle of a stage", cluster, outcome).write();
    }
  }

  @Test
  @Tag("soak")
  void shouldAnswerRightWhenTheLoserOfASpeculationIsKilled() throws Exception {
    try (ClusterProcess cluster =
        new ClusterProcess.Setup(work, ProcessCase.DISTURBED)
            .plan(HELD_UP)
            .conf(ProcessJob.TWO_HOSTS, "true")
            .conf("spark.speculation", "true")
            .conf("spark.speculation.interval", "100ms")
            .conf("spark.speculation.quantile", "0.5")
            .conf("spark.speculation.efficiency.enabled", "false")
            .start()) {
      cluster.awaitFired();

      ProcessOutcome outcome = cluster.end();
      assertThat(outcome.tasks().speculativeWins()).isPositive();
      assertThat(outcome.tasks().killed())
          .anyMatch(why -> why.contains("another attempt succeeded"));
      assertThat(outcome.lost()).isEmpty();
      assertAllRight(outcome);
      assertSpilled(outcome);
      assertNothingLeft(outcome, Set.of());
      ProcessReport.of("loser of a speculation killed", cluster, outcome).write();
    }
  }

  @Test
  void shouldAnswerRightWhenAStageRunsAgainForALostShuffleFile() throws Exception {
    try (ClusterProcess cluster =
        new ClusterProcess.Setup(work, ProcessCase.LOST_SHUFFLE_FILE).start()) {
      ProcessOutcome outcome = cluster.end();
      assertThat(outcome.notes()).singleElement().asString().contains(".data", ".index");
      assertThat(outcome.tasks().failed()).anyMatch(why -> why.startsWith("FetchFailed"));
      assertThat(outcome.tasks().stageRetries()).isPositive();
      assertThat(outcome.lost()).isEmpty();
      assertAllRight(outcome);
      assertSpilled(outcome);
      assertNothingLeft(outcome, Set.of());
      ProcessReport.of("stage run again for a lost shuffle file", cluster, outcome).write();
    }
  }

  @Test
  @Tag("soak")
  void shouldFailCleanlyWhenTheDiskIsFull() throws Exception {
    Path disk = Files.createDirectory(work.resolve("local"));
    String mount = "mount -t tmpfs -o size=1m none \"$0\" && ";
    assumeTrue(
        new ProcessBuilder("unshare", "-m", "sh", "-c", mount + "true", disk.toString())
                .start()
                .waitFor()
            == 0,
        "file systems cannot be mounted here");
    try (ClusterProcess cluster =
        new ClusterProcess.Setup(work, ProcessCase.FULL_DISK)
            .wrapper("unshare", "-m", "sh", "-c", mount + "exec \"$@\"", disk.toString())
            // The copies of the jars are not what the disk is for.
            .conf("spark.files.useFetchCache", "false")
            .start()) {
      ProcessOutcome outcome = cluster.end();
      ProcessOutcome.Run disturbed = outcome.run("disturbed");
      assertThat(disturbed.wrong()).isEmpty();
      assertThat(disturbed.error())
          .as("a failure of the job that says why")
          .anyMatch(error -> error.startsWith("org.apache.spark.SparkException"))
          .anyMatch(error -> error.contains("No space left on device"));
      assertThat(outcome.tasks().failed()).anyMatch(why -> why.contains("No space left on device"));
      assertThat(outcome.lost()).as("executors go on").isEmpty();
      assertThat(outcome.notes()).containsExactly("left unfinished: []");
      assertRight(outcome.run("before"));
      assertRight(outcome.run("after"));
      assertNothingLeft(outcome, Set.of());
      ProcessReport.of("disk full", cluster, outcome).write();
    }
  }

  @Test
  @Tag("soak")
  void shouldAnswerRightWhenTheKernelKillsAnExecutorForAnothersMemory() throws Exception {
    try (Container container =
            Container.make(CONTAINER_BYTES)
                .orElseGet(() -> abort("memory control groups cannot be made here"));
        ClusterProcess cluster =
            new ClusterProcess.Setup(work, ProcessCase.DISTURBED).plan(HELD_UP).start()) {
      ClusterProcess.Fired victim = cluster.awaitFired();
      String pid = Long.toString(victim.handle().pid());
      // The kernel takes the process that it is told to take first.
      Files.writeString(Path.of("/proc", pid, "oom_score_adj"), "1000");
      Files.writeString(container.processes(), pid);
      assertThat(hog(container)).as("how what took the memory has ended").isEqualTo(KILLED);

      ProcessOutcome outcome = cluster.end();
      assertKilled(outcome, victim.executor());
      assertAllRight(outcome);
      assertSpilled(outcome);
      assertNothingLeft(outcome, Set.of(victim.executor()));
      ProcessReport.of("executor killed by the kernel for lack of memory", cluster, outcome)
          .write();
    }
  }

  @Test
  @Tag("soak")
  void shouldAnswerRightWhenAnExecutorIsDecommissionedWhileAQueryRuns() throws Exception {
    try (ClusterProcess cluster =
        new ClusterProcess.Setup(work, ProcessCase.DISTURBED)
            .plan(HELD_UP.replace("60000", "20000"))
            .conf("spark.dynamicAllocation.enabled", "true")
            .conf("spark.dynamicAllocation.minExecutors", "1")
            .conf("spark.dynamicAllocation.initialExecutors", "2")
            .conf("spark.dynamicAllocation.maxExecutors", "2")
            .conf("spark.dynamicAllocation.executorIdleTimeout", "3s")
            // Otherwise an executor with files of a shuffle is never idle. They are moved instead.
            .conf("spark.dynamicAllocation.shuffleTracking.enabled", "false")
            .conf("spark.decommission.enabled", "true")
            .conf("spark.storage.decommission.enabled", "true")
            .conf("spark.storage.decommission.shuffleBlocks.enabled", "true")
            // It looks again for files to move, and goes when there were none, 30 s later else.
            .conf("spark.storage.decommission.replicationReattemptInterval", "1s")
            .conf("spark.storage.decommission.rddBlocks.enabled", "true")
            .start()) {
      ClusterProcess.Fired heldUp = cluster.awaitFired();

      ProcessOutcome outcome = cluster.end();
      assertThat(outcome.lostExecutors())
          .as("executors that were told to go, and not only the one that was at work")
          .isNotEmpty()
          .isNotEqualTo(Set.of(heldUp.executor()))
          .allSatisfy(
              executor ->
                  assertThat(outcome.lost())
                      .filteredOn(lost -> lost.executor().equals(executor))
                      .anyMatch(lost -> lost.reason().startsWith("Executor decommission")));
      assertThat(outcome.lost())
          .as("one went while the task was held up")
          .anyMatch(lost -> lost.label().equals("disturbed"));
      assertAllRight(outcome);
      assertSpilled(outcome);
      assertNothingLeft(outcome, Set.of());
      ProcessReport.of("executor decommissioned while a query runs", cluster, outcome).write();
    }
  }

  @Test
  void shouldAnswerRightOrSayCancelledWhenJobGroupsAreCancelledAtRandomMoments() throws Exception {
    cancelAtRandom(20_261_201, 10);
  }

  @Test
  @Tag("soak")
  void shouldAnswerRightOrSayCancelledWhenJobGroupsAreCancelledForTwoMinutes() throws Exception {
    cancelAtRandom(Long.getLong("spillway.processes.seed", System.nanoTime()), 120);
  }

  private void cancelAtRandom(long seed, int seconds) throws Exception {
    System.out.println("job groups are cancelled with seed " + seed);
    try (ClusterProcess cluster =
        new ClusterProcess.Setup(work, ProcessCase.CANCELLED).random(seed, seconds).start()) {
      ProcessOutcome outcome = cluster.end();
      assertThat(outcome.runs())
          .as("seed %d, %s", seed, outcome.notes())
          .allSatisfy(
              run -> {
                assertThat(run.wrong()).as(run.label()).isEmpty();
                if (run.label().startsWith("cancelled-") && !run.error().isEmpty()) {
                  assertThat(String.join("; ", run.error())).contains("cancelled");
                } else {
                  assertRight(run);
                }
              });
      assertThat(outcome.runs())
          .as("seed %d: something was cancelled, and something ran beside it", seed)
          .anyMatch(run -> run.label().startsWith("cancelled-") && !run.error().isEmpty())
          .anyMatch(run -> run.label().startsWith("beside-"));
      assertSpilled(outcome);
      assertThat(outcome.tasks().killed()).as("seed %d: tasks were killed", seed).isNotEmpty();
      assertThat(outcome.lost()).isEmpty();
      assertNothingLeft(outcome, Set.of());
      ProcessReport.of("job groups cancelled for " + seconds + " s", cluster, outcome).write();
    }
  }

  /** Takes memory in a container until the kernel ends it; its exit code. */
  private static int hog(Container container) throws IOException, InterruptedException {
    Process hog =
        new ProcessBuilder(
                "sh",
                "-c",
                "echo $$ > \"$0\" && exec tail /dev/zero",
                container.processes().toString())
            .start();
    try {
      assertThat(hog.waitFor(2, TimeUnit.MINUTES)).as("the kernel ends it").isTrue();
      return hog.exitValue();
    } finally {
      hog.destroyForcibly();
    }
  }

  private static void assertKilled(ProcessOutcome outcome, String executor) {
    assertThat(outcome.lost())
        .as("executors lost")
        .singleElement()
        .satisfies(
            lost -> {
              assertThat(lost.executor()).isEqualTo(executor);
              assertThat(ExecutorLost.told(lost.executor(), lost.reason()).exitCode())
                  .as(lost.reason())
                  .isEqualTo(KILLED);
            });
  }

  private static void assertAllRight(ProcessOutcome outcome) {
    assertThat(outcome.runs()).isNotEmpty().allSatisfy(ProcessesIT::assertRight);
  }

  private static void assertRight(ProcessOutcome.Run run) {
    assertThat(run.right()).as(run.toString()).isTrue();
  }

  /** In no executor that lives, and by the last ledger of every one that ended in order. */
  private static void assertNothingLeft(ProcessOutcome outcome, Set<String> killed) {
    assertThat(outcome.living())
        .as("living executors")
        .isNotEmpty()
        .allSatisfy(state -> assertThat(state.clean()).as(state.toString()).isTrue());
    assertThat(outcome.ledgers())
        .as("ledgers")
        .extracting(ProcessOutcome.Ledger::executor)
        .containsAll(
            outcome.living().stream().map(ExecutorState::executor).collect(Collectors.toSet()));
    assertThat(outcome.ledgers())
        .filteredOn(ledger -> !killed.contains(ledger.executor()))
        .allSatisfy(
            ledger -> {
              assertThat(ledger.last()).as("%s is the last", ledger).isTrue();
              assertThat(ledger.usedBytes()).as(ledger.toString()).isZero();
              assertThat(ledger.leakedBytes()).as(ledger.toString()).isZero();
            });
  }

  private static void assertSpilled(ProcessOutcome outcome) {
    assertThat(outcome.ledgers())
        .as("there was state that did not fit")
        .anyMatch(ledger -> ledger.spilledBytes() > 0);
  }
}
