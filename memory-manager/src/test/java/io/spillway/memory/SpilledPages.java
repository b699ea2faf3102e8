package io.spillway.memory;

import io.spillway.memory.spill.SegmentReader;
import io.spillway.memory.spill.SegmentWriter;
import io.spillway.memory.spill.SpillException;
import io.spillway.memory.spill.SpillFile;
import io.spillway.memory.spill.SpillSegment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.util.TaskCompletionListener;

/** An operator with state in pages: more than its task may hold, so it spills and reads back. */
final class SpilledPages implements Spillable {
  static final int PAGE_BYTES = 64 * 1024;

  private final OperatorMemory memory;
  private final List<NativeBlock> live = new ArrayList<>();
  private final List<SpillSegment> spilled = new ArrayList<>();
  private SpillFile file;

  SpilledPages() {
    TaskContext context = TaskContext.get();
    memory = ExecutorMemory.installed().orElseThrow().task(context).operator("Pages", this);
    context.addTaskCompletionListener((TaskCompletionListener) ended -> closeIfDone());
  }

  private void closeIfDone() {
    if (!TaskContext.get().isFailed()) {
      memory.close();
    }
  }

  OperatorMemory memory() {
    return memory;
  }

  void add(long value) {
    memory.batchBoundary();
    addWithoutABoundary(value);
  }

  void addWithoutABoundary(long value) {
    NativeBlock page = memory.allocate(PAGE_BYTES);
    for (int at = 0; at < PAGE_BYTES; at += 8) {
      Platform.putLong(null, page.address() + at, value);
    }
    live.add(page);
  }

  @Override
  public long spill(long bytes) {
    if (live.isEmpty()) {
      return 0;
    }
    try {
      if (file == null) {
        file = memory.createSpillFile();
      }
      long freed = 0;
      try (SegmentWriter writer = file.newSegment()) {
        for (NativeBlock page : live) {
          writer.write(page.address(), PAGE_BYTES, PAGE_BYTES, PAGE_BYTES);
        }
        spilled.add(writer.finish());
      }
      for (NativeBlock page : live) {
        freed += page.size();
        page.close();
      }
      live.clear();
      return freed;
    } catch (IOException e) {
      throw new SpillException("pages: " + e.getMessage(), e);
    }
  }

  /** Adds up one value of each page, all of them read back from disk. */
  long sum() throws IOException {
    spill(Long.MAX_VALUE);
    long sum = 0;
    try (NativeBlock page = memory.allocate(PAGE_BYTES)) {
      for (SpillSegment segment : spilled) {
        try (SegmentReader reader = file.read(segment)) {
          while (reader.nextCapacity() > 0) {
            reader.readInto(page.address());
            sum += Platform.getLong(null, page.address() + PAGE_BYTES - 8);
          }
        }
      }
    }
    return sum;
  }
}
