package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.JoinAbi;
import io.spillway.kernel.JoinKernels;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;

/**
 * Makes a join's batches. Columns of probe rows may point into those rows; what comes from build
 * rows is copied, strings too, so that their partitions can be spilled while the batch is looked
 * at. A batch is valid until the next one is made. Used by the task's thread alone.
 */
final class JoinOutput {
  private static final long SMALLEST_TEXT_BYTES = 4 * 1024;
  private static final long LARGEST_TEXT_BYTES = 1024 * 1024;

  private final OperatorMemory memory;
  private final BatchView view;
  private final ColumnTaker probe;
  private final RowGather build;
  private final int probeColumns;
  private final int buildColumns;
  private final int firstProbe;
  private final int firstBuild;
  private final long allNull;
  private final long need;
  private final NativeBlock text;
  private final long exists;
  private NativeBlock longText;

  JoinOutput(JoinFrame frame, List<DataType> outputTypes) {
    JoinSpec spec = frame.spec();
    int maxRows = frame.maxRows();
    memory = frame.memory();
    view = new BatchView(outputTypes);
    boolean pairs = spec.kind().emitsPairs();
    probeColumns = spec.probeTypes().length;
    buildColumns = pairs ? spec.buildTypes().length : 0;
    firstProbe = spec.buildLeft() ? buildColumns : 0;
    firstBuild = spec.buildLeft() ? 0 : probeColumns;
    probe =
        new ColumnTaker(
            memory, IntStream.range(0, probeColumns).toArray(), spec.probeTypes(), maxRows);
    int[] picks = IntStream.range(0, buildColumns).map(spec::rowColumn).toArray();
    build = new RowGather(memory, frame.buildLayout(), picks, maxRows);
    Arena at = new Arena(memory.allocate(maxRows + 32L).address());
    allNull = at.take(maxRows);
    need = at.take(8);
    Platform.setMemory(allNull, (byte) 1, maxRows);
    boolean strings =
        IntStream.range(0, buildColumns).anyMatch(i -> spec.buildTypes()[i] == Abi.T_STR);
    text = strings ? memory.allocate(textBytes(frame)) : null;
    exists = spec.kind() == JoinSpec.Kind.EXISTENCE ? memory.allocate(maxRows).address() : 0;
  }

  private static long textBytes(JoinFrame frame) {
    long part = frame.context().budget().shareBytes() / 16;
    return Math.max(SMALLEST_TEXT_BYTES, Math.min(LARGEST_TEXT_BYTES, part));
  }

  /** A batch of the pairs that wait, or of the first of them; they wait no longer. */
  ColumnarBatch pairs(JoinProbe found) {
    int count = takeBuilds(found);
    takeProbes(found.rows(), found.pairRows(), count);
    found.taken(count);
    return view.batch(count);
  }

  /** A batch of build rows that wait, beside nulls; they wait no longer. */
  ColumnarBatch builds(JoinProbe found) {
    int count = takeBuilds(found);
    for (int i = 0; i < probeColumns; i++) {
      view.vector(firstProbe + i).pointTo(probe.values(i), allNull, count);
    }
    found.taken(count);
    return view.batch(count);
  }

  /** A batch of selected probe rows, beside nulls if columns of both sides come out. */
  ColumnarBatch probes(JoinProbe found, int count) {
    takeProbes(found.rows(), found.selection(), count);
    for (int i = 0; i < buildColumns; i++) {
      view.vector(firstBuild + i).pointTo(build.values(i), allNull, count);
    }
    return view.batch(count);
  }

  /** A batch of selected probe rows and whether they have a match. */
  ColumnarBatch existence(JoinProbe found, int count) {
    takeProbes(found.rows(), found.selection(), count);
    for (int i = 0; i < count; i++) {
      int row = Platform.getInt(null, found.selection() + 4L * i);
      boolean matched = Platform.getByte(null, found.states() + row) == JoinAbi.STATE_MATCHED;
      Platform.putByte(null, exists + i, (byte) (matched ? 1 : 0));
    }
    view.vector(probeColumns).pointTo(exists, 0, count);
    return view.batch(count);
  }

  private void takeProbes(NativeColumns rows, long selection, int count) {
    probe.take(rows, selection, count);
    for (int i = 0; i < probeColumns; i++) {
      probe.view(i, count, view.vector(firstProbe + i));
    }
  }

  /** Reads the build rows of waiting pairs, as many as their strings leave room for. */
  private int takeBuilds(JoinProbe found) {
    if (longText != null) {
      longText.close();
      longText = null;
    }
    int count = found.pairs();
    ProbeTable table = found.table();
    build.fromHandles(table.structs(), table.partitions(), found.pairBuilds(), count);
    if (text != null) {
      int kept = keep(count, text);
      if (kept == 0) {
        // The partitions of waiting pairs are pinned, so they stay as they are meanwhile.
        longText = memory.allocate(Platform.getLong(null, need));
        kept = keep(1, longText);
      }
      count = kept;
    }
    for (int i = 0; i < buildColumns; i++) {
      build.view(i, count, view.vector(firstBuild + i));
    }
    return count;
  }

  private int keep(int rows, NativeBlock into) {
    return (int)
        JoinKernels.keep(build.columns(), build.size(), rows, into.address(), into.size(), need);
  }
}
