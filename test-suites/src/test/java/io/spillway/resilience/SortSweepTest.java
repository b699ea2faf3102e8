package io.spillway.resilience;

/** A failure at some calls of a sort. */
@SampleOfFaults
class SortSweepTest extends SortSweep {}
