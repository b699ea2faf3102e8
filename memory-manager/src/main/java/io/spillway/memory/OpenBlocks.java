package io.spillway.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** The handles of one operator that are not closed. Thread-safe; its lock is a leaf. */
final class OpenBlocks {
  private final Set<NativeBlock> blocks = Collections.newSetFromMap(new IdentityHashMap<>());

  synchronized NativeBlock add(NativeBlock block) {
    blocks.add(block);
    return block;
  }

  synchronized void remove(NativeBlock block) {
    blocks.remove(block);
  }

  synchronized List<NativeBlock> all() {
    return new ArrayList<>(blocks);
  }
}
