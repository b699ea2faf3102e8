package io.spillway.resilience;

/** A failure at every call of a join with a broadcast table. */
@EveryFault
class BroadcastJoinSweepSoakTest extends BroadcastJoinSweep {}
