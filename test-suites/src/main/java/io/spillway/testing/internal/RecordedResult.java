package io.spillway.testing.internal;

import io.spillway.drill.ResultFile;

/**
 * One result of a run.
 *
 * @param ordered whether its rows must come in this order
 */
record RecordedResult(ResultFile rows, boolean ordered) {}
