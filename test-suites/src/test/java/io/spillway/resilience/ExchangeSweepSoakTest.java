package io.spillway.resilience;

/** A failure at every call of an exchange. */
@EveryFault
class ExchangeSweepSoakTest extends ExchangeSweep {}
