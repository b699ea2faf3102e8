package io.spillway.resilience;

/** A failure at some calls of a full outer join. */
@SampleOfFaults
class FullJoinSweepTest extends FullJoinSweep {}
