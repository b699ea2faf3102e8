package io.spillway.resilience;

/** A failure at some calls of the first rows in order. */
@SampleOfFaults
class TopNSweepTest extends TopNSweep {}
