package io.spillway.resilience;

/** A failure at every call of an exchange in turn. */
@EveryFault
class InTurnSweepSoakTest extends InTurnSweep {}
