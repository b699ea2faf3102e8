package io.spillway.operator;

import io.spillway.kernel.ExchangeAbi;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.unsafe.Platform;

/**
 * Blocks for the bytes of an exchange's long strings, filled one after another. The one being
 * filled is the {@code text} of a {@code spw_exchange}. Used by one thread at a time.
 */
final class TextRoom {
  private static final long SMALLEST_BLOCK_BYTES = 4 * 1024;
  private static final long LARGEST_BLOCK_BYTES = 256 * 1024;

  private final OperatorMemory memory;
  private final long limitBytes;
  private final long blockBytes;
  private final List<NativeBlock> blocks = new ArrayList<>();
  private int used;

  /**
   * @param limitBytes what all blocks together may take, unless a single row needs more
   */
  TextRoom(OperatorMemory memory, long limitBytes) {
    this.memory = memory;
    this.limitBytes = limitBytes;
    this.blockBytes = Math.max(SMALLEST_BLOCK_BYTES, Math.min(LARGEST_BLOCK_BYTES, limitBytes / 8));
  }

  /**
   * Moves on to a block with room.
   *
   * @param bytes at least
   * @param exchange the {@code spw_exchange} whose room it becomes
   * @param must whether to climb the whole ladder for it
   * @return false if there is none
   * @throws org.apache.spark.memory.SparkOutOfMemoryError if it must and there is none
   */
  boolean add(long bytes, long exchange, boolean must) {
    while (used < blocks.size() && blocks.get(used).size() < bytes) {
      blocks.remove(used).close();
    }
    if (used == blocks.size()) {
      long size = Math.max(bytes, blockBytes);
      if (!must && total() + size > limitBytes) {
        return false;
      }
      NativeBlock block =
          must ? memory.allocate(size) : memory.withoutSpilling(() -> memory.tryAllocate(size));
      if (block == null) {
        return false;
      }
      blocks.add(block);
    }
    NativeBlock block = blocks.get(used++);
    point(exchange, block.address(), block.address() + block.size());
    return true;
  }

  /** Empties all blocks; those that one long string needed are not kept. */
  void clear(long exchange) {
    blocks.removeIf(
        block -> {
          boolean large = block.size() > 2 * blockBytes;
          if (large) {
            block.close();
          }
          return large;
        });
    used = 0;
    point(exchange, 0, 0);
  }

  /** Frees all blocks; answers their bytes. */
  long release(long exchange) {
    long bytes = total();
    blocks.forEach(NativeBlock::close);
    blocks.clear();
    used = 0;
    point(exchange, 0, 0);
    return bytes;
  }

  private long total() {
    return blocks.stream().mapToLong(NativeBlock::size).sum();
  }

  private static void point(long exchange, long start, long end) {
    Platform.putLong(null, exchange + ExchangeAbi.EXCHANGE_TEXT, start);
    Platform.putLong(null, exchange + ExchangeAbi.EXCHANGE_TEXT_END, end);
  }
}
