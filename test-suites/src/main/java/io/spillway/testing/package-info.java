/**
 * Resilience tests for Spark jobs, as a JUnit extension: every call at a fault point fails once,
 * and nothing may be lost. Begin with {@link io.spillway.testing.ResilienceSuite}, or with {@link
 * io.spillway.testing.FaultSweep} on a method. Works with JUnit 5.13 and later, 6 included.
 */
package io.spillway.testing;
