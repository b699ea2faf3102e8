package io.spillway.resilience;

/** A failure at every call while a frame is cached and read. */
@EveryFault
class CacheSweepSoakTest extends CacheSweep {}
