package io.spillway.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/**
 * The memory of one JVM at one moment, in bytes; null where nobody could tell.
 *
 * @param millis since the epoch
 * @param rssBytes resident, as the operating system tells
 * @param directBytes the JDK's direct buffers
 * @param heapBytes used of the Java heap
 * @param offHeapExecutionBytes charged to Spark's off-heap execution pool
 * @param offHeapStorageBytes charged to Spark's off-heap storage pool
 * @param onHeapExecutionBytes charged to Spark's on-heap execution pool
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record MemorySample(
    long millis,
    Long rssBytes,
    Long directBytes,
    Long heapBytes,
    Long offHeapExecutionBytes,
    Long offHeapStorageBytes,
    Long onHeapExecutionBytes) {}
