package io.spillway.resilience;

import java.util.List;

/**
 * What the soak found, for the page of results.
 *
 * @param seed of the queries and the faults
 * @param queries that ran
 * @param failedCleanly those that failed under faults, and were right when they ran again
 * @param wrong those with which something was wrong
 * @param faults that fired
 * @param seconds that it took
 * @param growth in the second half, of resident memory that the JVM does not account for
 * @param residentBytes after each query
 * @param jvmBytes of them that the JVM accounts for: heap, code, classes, stacks
 */
record SoakReport(
    long seed,
    int queries,
    long failedCleanly,
    long wrong,
    long faults,
    long seconds,
    Growth growth,
    List<Long> residentBytes,
    List<Long> jvmBytes) {}
