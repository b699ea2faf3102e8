package io.spillway.resilience;

/** A failure at every call of a window whose frames move. */
@EveryFault
class MovingWindowSweepSoakTest extends MovingWindowSweep {}
