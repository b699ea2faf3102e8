package io.spillway.resilience;

/** A failure at every call of a window. */
@EveryFault
class WindowSweepSoakTest extends WindowSweep {}
