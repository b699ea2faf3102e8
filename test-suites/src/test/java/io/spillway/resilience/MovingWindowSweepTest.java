package io.spillway.resilience;

/** A failure at some calls of a window whose frames move. */
@SampleOfFaults
class MovingWindowSweepTest extends MovingWindowSweep {}
