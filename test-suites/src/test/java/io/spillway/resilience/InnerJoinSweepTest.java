package io.spillway.resilience;

/** A failure at some calls of an inner join. */
@SampleOfFaults
class InnerJoinSweepTest extends InnerJoinSweep {}
