package io.spillway.memory;

import java.util.ArrayDeque;
import java.util.Deque;

/** State in blocks that a spill drops, oldest first, after a check of the test's own. */
class PagedState implements Spillable {
  private final Deque<NativeBlock> blocks = new ArrayDeque<>();
  private final Runnable onSpill;
  private OperatorMemory memory;
  private int spills;

  PagedState(Runnable onSpill) {
    this.onSpill = onSpill;
  }

  PagedState open(TaskMemory task, String name) {
    memory = task.operator(name, this);
    return this;
  }

  OperatorMemory memory() {
    return memory;
  }

  int spills() {
    return spills;
  }

  void grow(long bytes) {
    blocks.add(memory.allocate(bytes));
  }

  void shrink() {
    NativeBlock block = blocks.poll();
    if (block != null) {
      block.close();
    }
  }

  @Override
  public long spill(long bytes) {
    if (blocks.isEmpty()) {
      return 0;
    }
    onSpill.run();
    spills++;
    long freed = 0;
    while (freed < bytes && !blocks.isEmpty()) {
      NativeBlock block = blocks.remove();
      freed += block.size();
      block.close();
    }
    return freed;
  }
}
