package io.spillway.drill;

import java.util.Map;

/**
 * What a pass's child JVM is to do, handed over as a JSON file.
 *
 * @param conf settings of Spark, the master among them
 * @param data folder of the tables
 * @param scale TPC-H scale factor of those tables
 * @param results folder to write each query's rows into
 * @param outcome file to write the {@link PassOutcome} into
 * @param spillway whether Spillway is plugged in, so that executors owe a last ledger
 */
record PassSpec(
    Map<String, String> conf,
    String data,
    String scale,
    String results,
    String outcome,
    boolean spillway) {}
