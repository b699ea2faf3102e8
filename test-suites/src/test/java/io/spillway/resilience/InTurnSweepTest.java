package io.spillway.resilience;

/** A failure at some calls of an exchange in turn. */
@SampleOfFaults
class InTurnSweepTest extends InTurnSweep {}
