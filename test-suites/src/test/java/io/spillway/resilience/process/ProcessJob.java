package io.spillway.resilience.process;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.spillway.plugin.ClusterMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * The application of the tests with real processes. Started by {@code spark-submit}, which has its
 * settings.
 */
public final class ProcessJob {
  /** Set to run on a cluster of its own with two hosts, instead of on the master given. */
  public static final String TWO_HOSTS = "spark.process.twoHosts";

  private static final long BUS_WAIT_MILLIS = 60_000;

  private ProcessJob() {}

  /**
   * Runs a case and writes down what happened.
   *
   * @param arguments the case's name, the file for the outcome, a seed, seconds
   */
  public static void main(String[] arguments) throws Exception {
    ProcessCase job = ProcessCase.valueOf(arguments[0]);
    Path file = Path.of(arguments[1]);
    SparkConf conf = new SparkConf();
    try (TwoHosts hosts = conf.getBoolean(TWO_HOSTS, false) ? new TwoHosts(conf) : null) {
      if (hosts != null) {
        conf.setMaster(hosts.master());
      }
      run(job, conf, file, Long.parseLong(arguments[2]), Integer.parseInt(arguments[3]));
    }
  }

  private static void run(ProcessCase job, SparkConf conf, Path file, long seed, int seconds)
      throws Exception {
    SparkContext context = new SparkContext(conf);
    ClusterWatch watch = new ClusterWatch();
    context.addSparkListener(watch);
    ProcessRuns runs = new ProcessRuns(SparkSession.builder().config(conf).getOrCreate());
    List<ExecutorState> living;
    try {
      JavaSparkContext java = new JavaSparkContext(context);
      // The first job waits for the executors. Those that came before the listener are told here.
      ExecutorState.ask(java).forEach(state -> watch.found(state.executor()));
      job.run(runs, seed, seconds);
      drain(context);
      living = LivingExecutors.settled(java, watch);
      drain(context);
    } finally {
      watch.stopping();
      context.stop();
    }
    write(
        file,
        new ProcessOutcome(
            runs.all(), living, ledgers(), watch.tasks(), watch.lost(), runs.notes()));
  }

  private static List<ProcessOutcome.Ledger> ledgers() {
    return ClusterMemory.latest().orElseThrow().reports().stream()
        .map(
            report ->
                new ProcessOutcome.Ledger(
                    report.executorId(),
                    report.usedBytes(),
                    report.leakedBytes(),
                    report.reclaimedBytes(),
                    report.spilledBytes(),
                    report.owners(),
                    report.last()))
        .toList();
  }

  private static void drain(SparkContext context) throws TimeoutException {
    context.listenerBus().waitUntilEmpty(BUS_WAIT_MILLIS);
  }

  private static void write(Path file, ProcessOutcome outcome) throws IOException {
    Files.writeString(file, new ObjectMapper().writeValueAsString(outcome));
  }
}
