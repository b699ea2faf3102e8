package io.spillway.resilience;

/** A failure at every call of an inner join. */
@EveryFault
class InnerJoinSweepSoakTest extends InnerJoinSweep {}
