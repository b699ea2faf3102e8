package io.spillway.compare;

import java.util.List;
import java.util.Map;

/**
 * What the JVM of one engine is to do, handed over as a JSON file.
 *
 * @param conf settings of Spark, the master among them
 * @param data folder of the TPC-H tables
 * @param queries numbers of TPC-H queries, in order
 * @param results folder to write each query's rows into
 * @param outcome file to write the {@link EngineOutcome} into, anew after each query
 */
record EngineSpec(
    Map<String, String> conf, String data, List<Integer> queries, String results, String outcome) {}
