package io.spillway.resilience;

/** A failure at every call of a sort. */
@EveryFault
class SortSweepSoakTest extends SortSweep {}
