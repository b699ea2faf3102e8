package io.spillway.resilience;

/** A failure at some calls of an exchange. */
@SampleOfFaults
class ExchangeSweepTest extends ExchangeSweep {}
