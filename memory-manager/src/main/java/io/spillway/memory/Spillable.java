package io.spillway.memory;

/**
 * State that an operator can write to disk to give native memory back.
 *
 * <p>Called on the task's own thread only, either by the pressure ladder or by Spark's arbitration;
 * in the latter case Spark's {@code TaskMemoryManager} lock is held. It is never called
 * re-entrantly and never inside {@link OperatorMemory#withoutSpilling}, but may be called at any
 * allocation of the same task.
 */
@FunctionalInterface
public interface Spillable {
  /**
   * Frees native memory of the operator that this object was registered with, at least {@code
   * bytes} if it can. The implementation must not allocate native memory and must not block on
   * another task. Blocks are given back by closing them.
   *
   * @param bytes wanted, in bytes; more may be freed
   * @return bytes freed, 0 if there is nothing that could be spilled now
   * @throws io.spillway.memory.spill.SpillException if the disk refuses; the operator must still be
   *     able to close afterwards, and the task fails
   */
  long spill(long bytes);
}
