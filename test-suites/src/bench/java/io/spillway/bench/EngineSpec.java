package io.spillway.bench;

import java.util.List;
import java.util.Map;

/**
 * What a fork for engines is to do, handed over as a JSON file.
 *
 * @param conf settings of Spark
 * @param tpch folder of TPC-H's tables
 * @param micro folder of {@link MicroTables}
 * @param workloads names of those to run, in order
 * @param warmups runs of each that do not count
 * @param runs runs of each that count
 * @param results folder to write each workload's rows into
 * @param outcome file to write the {@link Outcome} into
 */
record EngineSpec(
    Map<String, String> conf,
    String tpch,
    String micro,
    List<String> workloads,
    int warmups,
    int runs,
    String results,
    String outcome) {

  /**
   * What a fork measured.
   *
   * @param workloads in the order in which they ran
   * @param peakResidentMib of the process
   */
  record Outcome(List<Measured> workloads, double peakResidentMib) {}

  /**
   * One workload.
   *
   * @param seconds of the median run
   * @param cpuSeconds processor time of that run, user's and system's, of all threads
   * @param spilledMib on disk, of all runs
   * @param error what failed it; null if nothing did
   */
  record Measured(
      String name, double seconds, double cpuSeconds, double spilledMib, String error) {}
}
