package io.spillway.operator;

import io.spillway.kernel.FrameAbi;
import io.spillway.kernel.FrameKernels;
import io.spillway.memory.OperatorMemory;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.unsafe.Platform;

/**
 * The functions over one moving frame for a block of consecutive rows: a {@code spw_frame}. What
 * the frames of the block cover is read once, from the first row to the last, however much that is;
 * only what the functions come to is held. Its memory is the operator's. Used by the task's thread
 * alone.
 */
final class FrameBlock {
  private final OperatorMemory memory;
  private final TapeCursor cursor;
  private final int maxRows;
  private final RowGather inputs;
  private final List<Integer> scanning = new ArrayList<>();
  private final ColumnBuffer[] values;

  /** The upper before the lower one; none of frames by rows. */
  private final List<FrameSide> sides = new ArrayList<>();

  /** How far before its end a frame is read; 0: from its first row on. */
  private final int fromEnd;

  private final long block;
  private final long functions;
  private final long from;
  private final long to;

  /**
   * @param cursor on the tape that the functions read; it is in no page between two calls
   * @param all of the window's functions
   * @param mine which of them are over this frame
   * @param maxRows the most rows of a block, and of one reading
   */
  FrameBlock(
      RowTape tape,
      TapeCursor cursor,
      MovingSpec.Frame frame,
      List<MovingSpec.Function> all,
      int[] mine,
      int maxRows) {
    this.memory = tape.memory();
    this.cursor = cursor;
    this.maxRows = maxRows;
    Arena at =
        new Arena(
            memory
                .allocate(
                    FrameAbi.FRAME_SIZE
                        + (long) mine.length * FrameAbi.FN_SIZE
                        + 16L * maxRows
                        + 8L * maxRows * mine.length
                        + 16L * (4 + mine.length))
                .address());
    block = at.take(FrameAbi.FRAME_SIZE);
    functions = at.take((long) mine.length * FrameAbi.FN_SIZE);
    from = at.take(8L * maxRows);
    to = at.take(8L * maxRows);
    List<Integer> columns = new ArrayList<>();
    int farthest = -1;
    // The keys of frames by range are looked at from their lower side on.
    boolean fromStart = frame.range() != null && frame.range().lower() >= 0;
    values = new ColumnBuffer[mine.length];
    for (int i = 0; i < mine.length; i++) {
      MovingSpec.Function function = all.get(mine[i]);
      values[i] = ColumnBuffer.allocate(memory, function.kernelType(), maxRows);
      fromStart |= function.readsFromStart();
      farthest = Math.min(farthest, function.nth());
      int input = -1;
      if (function.scans()) {
        scanning.add(i);
        if (!columns.contains(function.column())) {
          columns.add(function.column());
        }
        input = columns.indexOf(function.column());
      }
      describe(i, function, input, at.take(8L * maxRows));
    }
    fromEnd = fromStart ? 0 : farthest;
    int[] picks = columns.stream().mapToInt(Integer::intValue).toArray();
    inputs = picks.length == 0 ? null : new RowGather(memory, tape.layout(), picks, maxRows);
    describe(frame, mine.length, picks.length);
    if (frame.range() != null) {
      addSide(tape, frame.range(), frame.range().upper(), true);
      addSide(tape, frame.range(), frame.range().lower(), false);
    }
  }

  private void addSide(RowTape tape, MovingSpec.Range range, int bound, boolean upper) {
    if (bound >= 0) {
      sides.add(new FrameSide(tape, cursor, range, bound, upper, from, to, maxRows));
    }
  }

  private void describe(MovingSpec.Frame frame, int functionCount, int inputCount) {
    Platform.setMemory(block, (byte) 0, FrameAbi.FRAME_SIZE);
    Platform.putLong(null, block + FrameAbi.FRAME_FUNCTIONS, functions);
    Platform.putLong(null, block + FrameAbi.FRAME_FROM, from);
    Platform.putLong(null, block + FrameAbi.FRAME_TO, to);
    Platform.putLong(null, block + FrameAbi.FRAME_LOWER, frame.lower());
    Platform.putLong(null, block + FrameAbi.FRAME_UPPER, frame.upper());
    int unbounded =
        (frame.fromStart() || frame.range() != null ? FrameAbi.FROM_PARTITION_START : 0)
            | (frame.toEnd() || frame.range() != null ? FrameAbi.TO_PARTITION_END : 0);
    Platform.putInt(null, block + FrameAbi.FRAME_UNBOUNDED, unbounded);
    Platform.putInt(null, block + FrameAbi.FRAME_NFUNCTIONS, functionCount);
    Platform.putInt(null, block + FrameAbi.FRAME_NINPUTS, inputCount);
    Platform.putLong(null, block + FrameAbi.FRAME_INPUTS, inputs == null ? 0 : inputs.columns());
  }

  private void describe(int i, MovingSpec.Function function, int input, long seen) {
    long at = functions + (long) i * FrameAbi.FN_SIZE;
    Platform.setMemory(at, (byte) 0, FrameAbi.FN_SIZE);
    Platform.putLong(null, at + FrameAbi.FN_VALUES, values[i].values());
    Platform.putLong(null, at + FrameAbi.FN_NULLS, values[i].nulls());
    Platform.putLong(null, at + FrameAbi.FN_SEEN, seen);
    Platform.putLong(null, at + FrameAbi.FN_NTH, function.nth());
    Platform.putInt(null, at + FrameAbi.FN_OP, function.op());
    Platform.putInt(null, at + FrameAbi.FN_TYPE, function.type());
    Platform.putInt(null, at + FrameAbi.FN_OUT_TYPE, function.kernelType());
    Platform.putInt(null, at + FrameAbi.FN_INPUT, input);
    Platform.putInt(null, at + FrameAbi.FN_IGNORE_NULLS, function.ignoreNulls() ? 1 : 0);
  }

  /**
   * Computes the functions of the next rows.
   *
   * @param spread address of the {@code spw_window_spread} of their partitions
   * @param place number of the first of them
   */
  void compute(long spread, long place, int rows) {
    Platform.putLong(null, block + FrameAbi.FRAME_SPREAD, spread);
    Platform.putLong(null, block + FrameAbi.FRAME_PLACE, place);
    Platform.putInt(null, block + FrameAbi.FRAME_ROWS, rows);
    FrameKernels.bounds(block);
    for (FrameSide side : sides) {
      side.seek(place, rows);
    }
    FrameKernels.start(block);
    if (inputs != null) {
      scan(first(0), end(rows - 1), rows);
    }
  }

  private void scan(long begin, long end, int rows) {
    long at = begin;
    while (at < end) {
      memory.batchBoundary();
      cursor.moveTo(at);
      int count = (int) Math.min(maxRows, Math.min(cursor.end(), end) - at);
      inputs.fromPage(cursor.address(), (int) (at - cursor.first()), count);
      Platform.putLong(null, block + FrameAbi.FRAME_CHUNK, at);
      Platform.putInt(null, block + FrameAbi.FRAME_CHUNK_ROWS, count);
      for (int function : scanning) {
        run(function, rows);
      }
      at += count;
    }
    cursor.release();
  }

  private void run(int function, int rows) {
    int row = 0;
    while (row < rows) {
      row = (int) FrameKernels.run(block, function, row);
      if (row < rows) {
        // A frame may cover any number of rows: a killed task is not to wait for all of them.
        memory.batchBoundary();
      }
    }
  }

  /**
   * The number of the first row of a row's frame; of a frame without rows, of where it would be.
   */
  private long first(int row) {
    return Platform.getLong(null, from + 8L * row);
  }

  /** The number behind that of the last row of a row's frame. */
  private long end(int row) {
    return Platform.getLong(null, to + 8L * row);
  }

  /** The number of the first row that a row of the block, and the rows behind it, may read. */
  long firstRead(int row) {
    long first = fromEnd == 0 ? first(row) : Math.max(first(row), end(row) + fromEnd);
    // The bounds of the rows behind it are on the tape.
    return sides.isEmpty()
        ? first
        : Math.min(first, Platform.getLong(null, block + FrameAbi.FRAME_PLACE) + row);
  }

  /** The rows' numbers start again. */
  void finish() {
    sides.forEach(FrameSide::finish);
  }

  /** Address of the values of one of this frame's functions; rows' numbers if it picks. */
  long values(int i) {
    return values[i].values();
  }

  /** Address of their null bytes; not for functions that pick. */
  long nulls(int i) {
    return values[i].nulls();
  }
}
