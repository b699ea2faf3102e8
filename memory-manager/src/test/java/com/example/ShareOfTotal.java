package com.example;

import io.spillway.memory.ExecutorMemory;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import io.spillway.memory.Retry;
import io.spillway.memory.Spillable;
import io.spillway.memory.TaskMemory;
import io.spillway.memory.spill.SegmentReader;
import io.spillway.memory.spill.SegmentWriter;
import io.spillway.memory.spill.SpillException;
import io.spillway.memory.spill.SpillFile;
import io.spillway.memory.spill.SpillSegment;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.util.TaskCompletionListener;

/**
 * The share that each value has in the sum of its partition. The sum is known only behind the last
 * value, so all of them are kept: in native blocks, and in a spill file when memory is short.
 */
public final class ShareOfTotal implements Spillable, Iterator<Double> {
  /** Values of one step, {@code rows} of them from the start of the block. */
  private record Batch(NativeBlock block, int rows) {}

  private final OperatorMemory memory;
  private final NativeBlock readBuffer;
  private final Deque<Batch> live = new ArrayDeque<>();
  private final Deque<SpillSegment> spilled = new ArrayDeque<>();
  private SpillFile file;
  private SegmentReader reader;
  private long total;

  /** The batch that is being given out: no longer in {@link #live}, so no spill takes it away. */
  private Batch current;

  private long address;
  private int rows;
  private int row;

  private ShareOfTotal(TaskContext context) {
    TaskMemory task = ExecutorMemory.installed().orElseThrow().task(context);
    memory = task.operator("ShareOfTotal", this);
    // Registered after the scope's own listener, so it runs before it, whether or not all rows are
    // taken.
    context.addTaskCompletionListener((TaskCompletionListener) ended -> close());
    // What reading back needs is taken now: later there may be nothing.
    readBuffer = memory.allocate((long) task.budget().batchRows() * Long.BYTES);
  }

  /** For {@code mapPartitions}. */
  public static Iterator<Double> of(Iterator<Long> values) {
    ShareOfTotal operator = new ShareOfTotal(TaskContext.get());
    operator.addAll(values);
    return operator;
  }

  private void addAll(Iterator<Long> values) {
    long[] batch = new long[(int) (readBuffer.size() / Long.BYTES)];
    while (values.hasNext()) {
      int count = 0;
      while (count < batch.length && values.hasNext()) {
        batch[count++] = values.next();
      }
      // Between two batches all state is whole: here other tasks may make this one spill.
      memory.batchBoundary();
      Retry.withRetry(memory, count, (fromRow, toRow) -> add(batch, fromRow, toRow));
    }
  }

  /** Can be repeated: only its first line can be refused, and nothing has changed by then. */
  private void add(long[] batch, int fromRow, int toRow) {
    NativeBlock block = memory.allocate((long) (toRow - fromRow) * Long.BYTES);
    for (int i = fromRow; i < toRow; i++) {
      Platform.putLong(null, block.address() + (long) (i - fromRow) * Long.BYTES, batch[i]);
      total += batch[i];
    }
    live.add(new Batch(block, toRow - fromRow));
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
      try (SegmentWriter writer = file.newSegment()) {
        for (Batch batch : live) {
          int length = batch.rows() * Long.BYTES;
          // The whole batch is the frame's front; it has no back.
          writer.write(batch.block().address(), length, length, length);
        }
        spilled.add(writer.finish());
      }
    } catch (IOException e) {
      throw new SpillException("ShareOfTotal cannot spill: " + e.getMessage(), e);
    }
    long freed = 0;
    for (Batch batch : live) {
      freed += batch.block().size();
      batch.block().close();
    }
    live.clear();
    return freed;
  }

  @Override
  public boolean hasNext() {
    while (row == rows && nextBatch()) {
      row = 0;
    }
    return row < rows;
  }

  @Override
  public Double next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return (double) Platform.getLong(null, address + (long) row++ * Long.BYTES) / total;
  }

  /** The next one from disk, else from memory; what is spilled meanwhile is behind all others. */
  private boolean nextBatch() {
    if (current != null) {
      current.block().close();
      current = null;
    }
    memory.batchBoundary();
    if (!readSpilled()) {
      current = live.poll();
      if (current == null) {
        return false;
      }
      address = current.block().address();
      rows = current.rows();
    }
    return true;
  }

  private boolean readSpilled() {
    try {
      while (reader != null || !spilled.isEmpty()) {
        if (reader == null) {
          reader = file.read(spilled.poll());
        }
        int length = reader.nextCapacity();
        if (length > 0) {
          address = readBuffer.address();
          reader.readInto(address);
          rows = length / Long.BYTES;
          return true;
        }
        reader.close();
        reader = null;
      }
      return false;
    } catch (IOException e) {
      throw new SpillException("ShareOfTotal cannot read back: " + e.getMessage(), e);
    }
  }

  private void close() {
    if (reader != null) {
      reader.close();
    }
    memory.close();
  }
}
