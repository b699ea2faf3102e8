/**
 * The resilience drill: the same queries on plain Spark, on a starved Spillway, and on a starved
 * Spillway with faults firing, compared row by row and byte by byte.
 *
 * <p>{@link io.spillway.drill.DrillCommand} is the command line. Every pass runs in a child JVM of
 * its own ({@link io.spillway.drill.PassMain}), so that one pass can neither help nor harm the
 * next.
 */
package io.spillway.drill;
