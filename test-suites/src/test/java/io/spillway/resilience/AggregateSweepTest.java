package io.spillway.resilience;

/** A failure at some calls of an aggregation. */
@SampleOfFaults
class AggregateSweepTest extends AggregateSweep {}
