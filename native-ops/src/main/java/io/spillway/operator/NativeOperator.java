package io.spillway.operator;

/**
 * Marks the physical operators of Spillway, so that rules and reports can tell them from Spark's.
 *
 * <p>Every one of them has the SQL metrics {@link #SPILL_BYTES} and {@link #PEAK_NATIVE_BYTES}.
 */
public interface NativeOperator {
  /** SQL metric: bytes written to spill files, headers included, before compression. */
  String SPILL_BYTES = "spillBytes";

  /** SQL metric: each task's highest native memory in bytes, summed as Spark sums its own peaks. */
  String PEAK_NATIVE_BYTES = "peakNativeBytes";

  /** Whether this node only changes the form of rows and computes nothing. */
  default boolean isTransition() {
    return false;
  }
}
