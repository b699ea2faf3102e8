package io.spillway.operator;

import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the bytes of the strings lie that one evaluation makes. Grows by pieces, as what is written
 * stays where it is; all of it is given up when the next evaluation starts. Its memory is the
 * operator's. Used by one thread.
 */
final class TextHeap {
  private static final int SMALLEST_PIECE_BYTES = 4096;

  private final OperatorMemory memory;
  private final long limitBytes;
  private final List<NativeBlock> pieces = new ArrayList<>();
  private long totalBytes;
  private boolean limited;

  /**
   * @param limitBytes evaluations of several rows whose strings take more are refused with {@link
   *     SliceTooLargeException}
   */
  TextHeap(OperatorMemory memory, long limitBytes) {
    this.memory = memory;
    this.limitBytes = limitBytes;
  }

  /**
   * Starts afresh: nothing of the last evaluation is used any more.
   *
   * @param limited whether rows that take more than their part are refused
   * @return the piece to write to, or null if there is none yet
   */
  NativeBlock start(boolean limited) {
    this.limited = limited;
    // One piece is kept for the next evaluation, unless one long value needed it.
    if (pieces.size() > 1 || totalBytes > limitBytes) {
      pieces.forEach(NativeBlock::close);
      pieces.clear();
      totalBytes = 0;
    }
    return pieces.isEmpty() ? null : pieces.get(0);
  }

  /**
   * One piece more.
   *
   * @param bytes the least that it must hold
   * @param rows how many rows the evaluation has
   * @throws SliceTooLargeException if these rows are several and take more than their part
   * @throws org.apache.spark.memory.SparkOutOfMemoryError if there is no memory for it
   */
  NativeBlock grow(long bytes, int rows) {
    if (limited && rows > 1 && totalBytes + bytes > limitBytes) {
      throw new SliceTooLargeException(totalBytes + bytes, limitBytes);
    }
    // Twice what there is, so that pieces stay few, but no more than the part.
    long generous = Math.min(2 * totalBytes, limitBytes - totalBytes);
    NativeBlock piece = memory.allocate(Math.max(Math.max(bytes, SMALLEST_PIECE_BYTES), generous));
    pieces.add(piece);
    totalBytes += piece.size();
    return piece;
  }
}
