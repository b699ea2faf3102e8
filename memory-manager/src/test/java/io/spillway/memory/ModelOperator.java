package io.spillway.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/** An operator of a model run: what may be spilled of it, and whether that is allowed now. */
final class ModelOperator {
  private final ModelTask task;
  private final Deque<ModelPiece.Block> state = new ArrayDeque<>();
  private final Thread thread = Thread.currentThread();
  private OperatorMemory memory;
  private ForeignCharge foreign;
  private boolean unspillable;
  private boolean spilling;
  private boolean stateful;

  ModelOperator(ModelTask task) {
    this.task = task;
  }

  void open(String name, boolean spillable) {
    stateful = spillable;
    memory = task.memory().operator(name, spillable ? this::spill : null);
    foreign = memory.foreignCharge();
  }

  OperatorMemory memory() {
    return memory;
  }

  LedgerPart ledger() {
    return task.memory().executor().ledger().part(task.memory().taskAttemptId());
  }

  boolean isStateful() {
    return stateful;
  }

  /** What others allocated for it: reserved, and in no ledger. */
  void chargeForeign(long bytes) {
    foreign.resize(bytes);
  }

  long foreignBytes() {
    return foreign.bytes();
  }

  /** A piece that a spill may take. */
  void keep(ModelPiece.Block block) {
    state.add(block);
  }

  void forget(ModelPiece piece) {
    state.remove(piece);
  }

  <T> T withoutSpilling(Supplier<T> section) {
    unspillable = true;
    try {
      return memory.withoutSpilling(section);
    } finally {
      unspillable = false;
    }
  }

  private long spill(long bytes) {
    assertThat(Thread.currentThread()).as("the thread of a spill").isSameAs(thread);
    assertThat(unspillable).as("spilled inside withoutSpilling").isFalse();
    assertThat(spilling).as("spilled inside a spill").isFalse();
    spilling = true;
    try {
      long freed = 0;
      while (freed < bytes && !state.isEmpty()) {
        ModelPiece.Block oldest = state.remove();
        freed += oldest.bytes();
        task.free(oldest);
        task.run().faults().spilling();
      }
      task.run().countSpilled(freed);
      return freed;
    } finally {
      spilling = false;
    }
  }
}
