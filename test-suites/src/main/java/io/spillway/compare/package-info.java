/**
 * The comparison of engines: the same queries under the same faults on plain Spark, on Spillway and
 * on Comet, and what became of each.
 */
package io.spillway.compare;
