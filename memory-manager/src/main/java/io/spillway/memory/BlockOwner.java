package io.spillway.memory;

import io.spillway.memory.event.MemoryEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one operator of one task attempt holds, or held when it was found by the attempt's scope.
 *
 * @param taskAttemptId Spark's id of the attempt, {@link MemoryEvent#NO_TASK} for what tasks share
 * @param operator its name
 * @param bytes in its live blocks
 * @param blocks how many
 * @param site where the first of them was allocated, if sites are recorded, else null
 */
public record BlockOwner(
    long taskAttemptId, String operator, long bytes, int blocks, Throwable site) {
  /** Sums blocks by owner, in the order of their first block. */
  static List<BlockOwner> of(List<LedgeredBlock> blocks) {
    Map<BlockHolder, BlockOwner> byOwner = new LinkedHashMap<>();
    for (LedgeredBlock block : blocks) {
      BlockHolder owner = block.owner();
      byOwner.merge(
          owner,
          new BlockOwner(owner.taskAttemptId(), owner.name(), block.bytes(), 1, block.site()),
          BlockOwner::plus);
    }
    return new ArrayList<>(byOwner.values());
  }

  private BlockOwner plus(BlockOwner other) {
    return new BlockOwner(
        taskAttemptId, operator, bytes + other.bytes, blocks + other.blocks, site);
  }

  /** For example {@code task 12 / HashAggregate(partial) 4096 bytes in 1 block}. */
  public String describe() {
    return (taskAttemptId == MemoryEvent.NO_TASK ? "executor" : "task " + taskAttemptId)
        + " / "
        + operator
        + " "
        + bytes
        + " bytes in "
        + blocks
        + (blocks == 1 ? " block" : " blocks");
  }
}
