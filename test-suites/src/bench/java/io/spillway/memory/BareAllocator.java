package io.spillway.memory;

import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ReferenceManager;
import org.apache.arrow.memory.RootAllocator;

/**
 * What an operator's allocator is compared with: Arrow on the same page source and with the same
 * rounding, a root and a child as in a task, but no ledger and no reservation with Spark.
 */
final class BareAllocator implements AutoCloseable {
  private final RootAllocator root;
  private final BufferAllocator child;

  BareAllocator(PageSource pages) {
    root =
        new RootAllocator(
            RootAllocator.configBuilder()
                .allocationManagerFactory(new Factory(pages))
                .roundingPolicy(pages::roundedBytes)
                .maxAllocation(Long.MAX_VALUE)
                .build());
    child = root.newChildAllocator("bare", 0, Long.MAX_VALUE);
  }

  BufferAllocator allocator() {
    return child;
  }

  @Override
  public void close() {
    child.close();
    root.close();
  }

  private static final class Block extends AllocationManager {
    private final PageSource pages;
    private final long address;
    private final long bytes;

    Block(BufferAllocator accounting, PageSource pages, long bytes) {
      super(accounting);
      this.pages = pages;
      this.bytes = bytes;
      this.address = pages.allocate(bytes);
    }

    @Override
    public long getSize() {
      return bytes;
    }

    @Override
    protected long memoryAddress() {
      return address;
    }

    @Override
    protected void release0() {
      pages.free(address, bytes);
    }
  }

  /**
   * Takes blocks from a page source and nothing else.
   *
   * @param pages of the executor
   */
  private record Factory(PageSource pages) implements AllocationManager.Factory {
    private static final ArrowBuf EMPTY = new ArrowBuf(ReferenceManager.NO_OP, null, 0, 0);

    @Override
    public AllocationManager create(BufferAllocator accounting, long size) {
      return new Block(accounting, pages, size);
    }

    @Override
    public ArrowBuf empty() {
      return EMPTY;
    }
  }
}
