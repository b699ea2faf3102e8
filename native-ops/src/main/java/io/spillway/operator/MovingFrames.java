package io.spillway.operator;

import io.spillway.expression.NativeTypes;
import io.spillway.kernel.Abi;
import io.spillway.kernel.FrameAbi;
import io.spillway.memory.OperatorMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.unsafe.Platform;

/**
 * The functions of a window whose frames move with the row: what they read waits on a tape, and
 * their values are computed for a block of rows at a time when these come out. Its memory is the
 * operator's. Used by the task's thread alone.
 */
final class MovingFrames {
  private final WindowSpec spec;
  private final MovingSpec moving;
  private final WindowState state;
  private final RowTape tape;
  private final long columns;
  private final List<FrameBlock> frames = new ArrayList<>();

  /** By function: its frame, its place among that frame's functions, and what reads its rows. */
  private final FrameBlock[] frameOf;

  private final int[] placeOf;
  private final PlacePick[] picks;

  /** What reads rows whose numbers come from elsewhere, and the last number that it has read. */
  private final List<PlacePick> figurePicks = new ArrayList<>();

  private final long[] lastRead;
  private final long[] places;

  /** The block's first row, its rows, and how many of them have come out. */
  private long place;

  private int rows;
  private int done;

  /** The number of the next row to go in. */
  private long nextPlace;

  /** Where the values of a function of the window for the next rows lie. */
  interface Figures {
    /** Address of 64-bit values. */
    long of(int function);
  }

  MovingFrames(OperatorContext context, WindowSpec spec, WindowState state, int maxRows) {
    this.spec = spec;
    this.moving = spec.moving();
    this.state = state;
    OperatorMemory memory = context.memory();
    int width = moving.columns().size();
    int[] types = new int[width];
    for (int i = 0; i < width; i++) {
      int column = moving.columns().get(i);
      types[i] =
          column >= 0
              ? spec.program().outputTypes()[spec.firstInput() + column]
              : spec.functions().get(~column).outType();
    }
    // A cursor for each function that picks, and one that scans.
    tape = new RowTape(context, types, 1 + moving.picks());
    columns = memory.allocate(Math.max(1L, width) * Abi.COLUMN_SIZE).address();
    int count = moving.functions().size();
    frameOf = new FrameBlock[count];
    placeOf = new int[count];
    picks = new PlacePick[count];
    TapeCursor scan = new TapeCursor(tape);
    for (MovingSpec.Frame frame : moving.frames()) {
      int[] mine = moving.over(frame);
      FrameBlock block = new FrameBlock(tape, scan, frame, moving.functions(), mine, maxRows);
      frames.add(block);
      for (int i = 0; i < mine.length; i++) {
        MovingSpec.Function function = moving.functions().get(mine[i]);
        frameOf[mine[i]] = block;
        placeOf[mine[i]] = i;
        if (function.picks()) {
          picks[mine[i]] = new PlacePick(tape, function.column(), maxRows);
        }
      }
    }
    for (MovingSpec.Place each : moving.places()) {
      figurePicks.add(new PlacePick(tape, each.column(), maxRows));
    }
    lastRead = new long[figurePicks.size()];
    places = new long[figurePicks.size()];
  }

  /** The number of the next row to go in. */
  long nextPlace() {
    return nextPlace;
  }

  /**
   * Puts rows {@code [from, to)} in that the state has just run over.
   *
   * @param outputs address of the program's first output
   */
  void add(long outputs, int from, int to) {
    long inputs = outputs + (long) spec.firstInput() * Abi.COLUMN_SIZE;
    for (int i = 0; i < moving.columns().size(); i++) {
      int column = moving.columns().get(i);
      long target = columns + (long) i * Abi.COLUMN_SIZE;
      if (column >= 0) {
        Platform.copyMemory(
            null, inputs + (long) column * Abi.COLUMN_SIZE, null, target, Abi.COLUMN_SIZE);
      } else {
        state.describe(~column, target);
      }
    }
    tape.add(columns, from, to);
    nextPlace += to - from;
  }

  void startReading() {
    tape.startReading();
  }

  /**
   * Finds the values of the next rows.
   *
   * @param spread address of the {@code spw_window_spread} of their partitions
   * @param wanted how many; their partitions are at hand
   * @param figures of these rows
   * @return for how many of them they are at hand, at least one
   */
  int look(long spread, int wanted, Figures figures) {
    if (done == rows) {
      nextBlock(spread, wanted);
    }
    int found = Math.min(wanted, rows - done);
    for (int i = 0; i < picks.length; i++) {
      if (picks[i] != null) {
        found = picks[i].look(frameOf[i].values(placeOf[i]) + 8L * done, found);
      }
    }
    for (int i = 0; i < places.length; i++) {
      places[i] = figures.of(moving.places().get(i).figure());
      found = figurePicks.get(i).look(places[i], found);
    }
    return found;
  }

  private void nextBlock(long spread, int wanted) {
    if (rows > 0) {
      tape.forgetBefore(firstRead(rows - 1));
    }
    place += rows;
    rows = 0;
    done = 0;
    for (FrameBlock frame : frames) {
      frame.compute(spread, place, wanted);
    }
    rows = wanted;
  }

  /** The first row that the rows from this one of the block on may read. */
  private long firstRead(int row) {
    // Frames begin and end where those before them do, or later; and numbers ascend.
    long first = Long.MAX_VALUE;
    for (FrameBlock frame : frames) {
      first = Math.min(first, frame.firstRead(row));
    }
    for (long last : lastRead) {
      first = Math.min(first, last);
    }
    return first;
  }

  /** Points a view at the values found of a column. */
  void view(int function, int count, NativeVector target) {
    if (function >= picks.length) {
      figurePicks.get(function - picks.length).view(count, target);
      return;
    }
    if (picks[function] != null) {
      picks[function].view(count, target);
      return;
    }
    MovingSpec.Function moved = moving.functions().get(function);
    FrameBlock frame = frameOf[function];
    int at = placeOf[function];
    long width = NativeTypes.width(moved.outType());
    target.pointTo(
        frame.values(at) + width * done,
        moved.op() == FrameAbi.OP_COUNT ? 0 : frame.nulls(at) + done,
        count);
  }

  /** Goes on behind as many rows as said, at most those found; what was found stays as it is. */
  void skip(int count) {
    for (int i = 0; i < places.length; i++) {
      long last = Platform.getLong(null, places[i] + 8L * (count - 1));
      lastRead[i] = last >= 0 ? last : place + done + count - 1;
    }
    done += count;
  }

  /** Lets rows go in again, after all have come out. */
  void finish() {
    for (PlacePick pick : picks) {
      if (pick != null) {
        pick.finish();
      }
    }
    figurePicks.forEach(PlacePick::finish);
    frames.forEach(FrameBlock::finish);
    Arrays.fill(lastRead, 0);
    tape.clear();
    nextPlace = 0;
    place = 0;
    rows = 0;
    done = 0;
  }

  /** Writes what is in memory and not being read; the bytes freed. */
  long spill() {
    return tape.spill();
  }
}
