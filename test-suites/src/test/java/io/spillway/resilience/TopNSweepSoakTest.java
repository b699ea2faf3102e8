package io.spillway.resilience;

/** A failure at every call of the first rows in order. */
@EveryFault
class TopNSweepSoakTest extends TopNSweep {}
