package io.spillway.resilience;

/** A failure at every call of a full outer join. */
@EveryFault
class FullJoinSweepSoakTest extends FullJoinSweep {}
