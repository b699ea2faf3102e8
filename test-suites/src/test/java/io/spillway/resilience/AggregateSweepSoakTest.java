package io.spillway.resilience;

/** A failure at every call of an aggregation. */
@EveryFault
class AggregateSweepSoakTest extends AggregateSweep {}
