package io.spillway.memory;

/**
 * A step over rows {@code [fromRow, toRow)} of a batch, repeatable after a refusal.
 *
 * <p>Called on the task's thread, with no lock of the memory manager held. A step that ends with
 * {@link MemoryDenied} or {@code SparkOutOfMemoryError} must have restored the state that it found:
 * it is called again for the same rows, or for parts of them in order.
 *
 * <p>The operator may be spilled at every allocation inside the step, and then takes along what the
 * step has put into its state so far. A step that cannot undo that allocates first and changes
 * state afterwards, or runs inside {@link OperatorMemory#withoutSpilling}.
 */
@FunctionalInterface
public interface RangeStep {
  /**
   * Does the rows {@code [fromRow, toRow)}.
   *
   * @param fromRow first row, counted from 0
   * @param toRow row after the last one
   */
  void run(int fromRow, int toRow);
}
