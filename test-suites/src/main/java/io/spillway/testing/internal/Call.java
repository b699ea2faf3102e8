package io.spillway.testing.internal;

import io.spillway.chaos.FaultPoint;

/**
 * One call that the counting run made at a point, in a first attempt.
 *
 * @param stage ordinal of the stage in the run, from 0
 * @param call index within the attempt, from 1
 * @param operator who made it; empty where the point does not know
 */
record Call(FaultPoint point, int stage, int partition, long call, String operator) {}
