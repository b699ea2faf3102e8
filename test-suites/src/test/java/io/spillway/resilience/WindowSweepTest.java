package io.spillway.resilience;

/** A failure at some calls of a window. */
@SampleOfFaults
class WindowSweepTest extends WindowSweep {}
