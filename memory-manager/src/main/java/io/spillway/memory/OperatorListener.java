package io.spillway.memory;

import org.apache.arrow.memory.AllocationListener;

/**
 * Says which operator an Arrow allocator belongs to. It listens to nothing: children of the
 * allocator inherit it, which is how the allocation manager finds the operator.
 *
 * @param operator that is charged
 */
record OperatorListener(OperatorMemory operator) implements AllocationListener {}
