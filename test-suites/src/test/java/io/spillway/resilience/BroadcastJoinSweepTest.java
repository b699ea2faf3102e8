package io.spillway.resilience;

/** A failure at some calls of a join with a broadcast table. */
@SampleOfFaults
class BroadcastJoinSweepTest extends BroadcastJoinSweep {}
