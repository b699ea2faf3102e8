package io.spillway.memory;

import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ReferenceManager;

/** One block as Arrow sees it. What Arrow's own code allocates is in the ledger because of it. */
final class LedgeredAllocationManager extends AllocationManager {
  private final LedgeredBlock block;

  private LedgeredAllocationManager(BufferAllocator accounting, LedgeredBlock block) {
    super(accounting);
    this.block = block;
  }

  @Override
  public long getSize() {
    return block.bytes();
  }

  @Override
  protected long memoryAddress() {
    return block.address();
  }

  /** Nothing happens if the scope was quicker. */
  @Override
  protected void release0() {
    block.owner().free(block);
  }

  /** Reserves, takes and ledgers each block before Arrow hears of it. */
  static final class Factory implements AllocationManager.Factory {
    private static final ArrowBuf EMPTY = new ArrowBuf(ReferenceManager.NO_OP, null, 0, 0);

    @Override
    public AllocationManager create(BufferAllocator accounting, long size) {
      if (!(accounting.getListener() instanceof OperatorListener listener)) {
        throw new IllegalStateException(
            "Allocator "
                + accounting.getName()
                + " belongs to no operator: allocate through OperatorMemory.allocator()");
      }
      // Everything that can fail is done before the constructor: an exception thrown in it would
      // leave a false entry in the ledger of Arrow's debug mode.
      LedgeredBlock block = listener.operator().blocks().obtain(size);
      try {
        return new LedgeredAllocationManager(accounting, block);
      } catch (Throwable t) {
        block.owner().free(block);
        throw t;
      }
    }

    @Override
    public ArrowBuf empty() {
      return EMPTY;
    }
  }
}
