package io.spillway.resilience.process;

import java.util.concurrent.TimeUnit;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** What a job does. Names are given on the command line. */
public enum ProcessCase {
  /** A query without and with a disturbance, which comes from outside, and without again. */
  DISTURBED {
    @Override
    void run(ProcessRuns runs, long seed, int seconds) {
      runs.run("before", GroupTotals.LARGE);
      runs.run("disturbed", GroupTotals.LARGE);
      runs.run("after", GroupTotals.LARGE);
    }
  },

  /** A query whose shuffle files of one map task are deleted before its last stage runs again. */
  LOST_SHUFFLE_FILE {
    @Override
    void run(ProcessRuns runs, long seed, int seconds) {
      // The same plan twice: the second time Spark takes the shuffles of the first.
      Dataset<Row> query = GroupTotals.LARGE.query(runs.spark());
      runs.run("before", GroupTotals.LARGE, query);
      LostShuffleFiles lost =
          LostShuffleFiles.delete(new JavaSparkContext(runs.spark().sparkContext()));
      runs.note("deleted " + lost.files());
      runs.run("disturbed", GroupTotals.LARGE, query);
      runs.run("after", GroupTotals.LARGE);
    }
  },

  /** A query that needs more disk than there is, then one that does not. */
  FULL_DISK {
    @Override
    void run(ProcessRuns runs, long seed, int seconds) throws Exception {
      runs.run("before", GroupTotals.SMALL);
      runs.run("disturbed", GroupTotals.LARGE);
      OldShuffles.awaitGone(runs.spark().sparkContext());
      runs.note("left unfinished: " + OldShuffles.unfinished(runs.spark().sparkContext()));
      runs.run("after", GroupTotals.SMALL);
    }
  },

  /** Queries that are cancelled at random moments, while another one goes on. */
  CANCELLED {
    @Override
    void run(ProcessRuns runs, long seed, int seconds) throws Exception {
      runs.run("before", GroupTotals.LARGE);
      new CancelledGroups(runs, seed).run(TimeUnit.SECONDS.toNanos(seconds));
      runs.run("after", GroupTotals.LARGE);
    }
  };

  /**
   * Does it.
   *
   * @param seed of what is random in it
   * @param seconds how long what is repeated is repeated
   */
  abstract void run(ProcessRuns runs, long seed, int seconds) throws Exception;
}
