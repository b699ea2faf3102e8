package io.spillway.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorMetricsUpdate;
import org.apache.spark.sql.SparkSession;
import org.awaitility.Awaitility;

/**
 * After a fetch that failed, Spark in local mode takes its own block manager for lost and does not
 * come to take it up again; it counts its heartbeats as failed from then on, and ends the JVM at
 * the 60th, ten minutes later by default.
 */
@SpillwaySession(conf = "spark.executor.heartbeatInterval=10ms")
class FailedFetchTest {
  private static final int MORE_THAN_SPARK_BEARS = 70;

  /** It logs each failed heartbeat with two stacks. */
  private static final String INBOX = "org.apache.spark.rpc.netty.Inbox";

  private static final String EXECUTOR = "org.apache.spark.executor.Executor";

  @ChaosTest(seed = 7, rules = "{point: shuffle.fetch, fault: fetch-failure, when: {nth: 1}}")
  void shouldLiveOnWhenHeartbeatsFailAfterIt(SparkSession spark, FaultReport report) {
    report.result(spark.sql("select id % 3, sum(id) from range(0, 100, 1, 2) group by id % 3"));
    AtomicInteger heartbeats = new AtomicInteger();
    SparkListener counting =
        new SparkListener() {
          @Override
          public void onExecutorMetricsUpdate(SparkListenerExecutorMetricsUpdate update) {
            heartbeats.incrementAndGet();
          }
        };
    spark.sparkContext().addSparkListener(counting);
    Configurator.setLevel(INBOX, Level.OFF);
    Configurator.setLevel(EXECUTOR, Level.OFF);
    try {
      Awaitility.await("heartbeats after the failed fetch")
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(heartbeats).hasValueGreaterThan(MORE_THAN_SPARK_BEARS));
    } finally {
      spark.sparkContext().removeSparkListener(counting);
    }
  }
}
