package io.spillway.operator;

import io.spillway.expression.Program;
import io.spillway.kernel.Abi;
import io.spillway.kernel.Kernels;
import java.util.stream.IntStream;
import org.apache.spark.unsafe.Platform;

/**
 * Evaluates a join's residual condition over pairs of rows. Its memory is the operator's. Used by
 * the task's thread alone.
 */
final class JoinCondition implements NativeColumns {
  private final Evaluator evaluator;
  private final ColumnTaker probe;
  private final RowGather build;
  private final NativeVector[] columns;
  private final int[] probeOrdinals;
  private final int[] buildOrdinals;

  /** Of the pairs, those that are evaluated at a time. */
  private int pairs;

  JoinCondition(JoinFrame frame) {
    JoinSpec spec = frame.spec();
    Program program = spec.condition();
    int probeColumns = spec.probeTypes().length;
    int all = probeColumns + spec.buildTypes().length;
    boolean[] needed = Evaluator.needed(program, all);
    probeOrdinals = IntStream.range(0, probeColumns).filter(i -> needed[i]).toArray();
    buildOrdinals = IntStream.range(probeColumns, all).filter(i -> needed[i]).toArray();
    int[] types = IntStream.of(probeOrdinals).map(i -> spec.probeTypes()[i]).toArray();
    int[] picks = IntStream.of(buildOrdinals).map(i -> spec.rowColumn(i - probeColumns)).toArray();
    probe = new ColumnTaker(frame.memory(), probeOrdinals, types, frame.maxRows());
    build = new RowGather(frame.memory(), frame.buildLayout(), picks, frame.maxRows());
    evaluator = new Evaluator(frame.context(), program, frame.maxRows());
    columns = new NativeVector[all];
    for (int i : probeOrdinals) {
      columns[i] = new NativeVector(frame.columnType(i));
    }
    for (int i : buildOrdinals) {
      columns[i] = new NativeVector(frame.columnType(i));
    }
  }

  /**
   * Selects the pairs that fulfil the condition.
   *
   * @param pairRows address of the 32-bit numbers of the pairs' probe rows
   * @param pairBuilds address of the handles of their build rows
   * @param selection address where the 32-bit numbers of the selected pairs are written
   * @return how many are selected
   */
  int select(
      NativeColumns rows,
      ProbeTable table,
      long pairRows,
      long pairBuilds,
      int count,
      long selection) {
    probe.take(rows, pairRows, count);
    build.fromHandles(table.structs(), table.partitions(), pairBuilds, count);
    for (int i = 0; i < probeOrdinals.length; i++) {
      probe.view(i, count, columns[probeOrdinals[i]]);
    }
    for (int i = 0; i < buildOrdinals.length; i++) {
      build.view(i, count, columns[buildOrdinals[i]]);
    }
    pairs = count;
    int selected = 0;
    for (int done = 0; done < count; done += pairs) {
      skip(done == 0 ? 0 : pairs);
      pairs = Math.min(pairs, count - done);
      evaluator.evaluate(this);
      selected += selectPart(done, selection + 4L * selected);
    }
    return selected;
  }

  /** Selects among the pairs that were evaluated last, of which the first has the number given. */
  private int selectPart(int first, long selection) {
    long result = evaluator.output(0);
    int selected =
        (int)
            Kernels.select(
                Platform.getLong(null, result + Abi.COLUMN_VALUES),
                Platform.getLong(null, result + Abi.COLUMN_NULLS),
                pairs,
                selection);
    for (int i = 0; first > 0 && i < selected; i++) {
      long number = selection + 4L * i;
      Platform.putInt(null, number, Platform.getInt(null, number) + first);
    }
    return selected;
  }

  private void skip(int done) {
    // The columns were taken once, for all pairs.
    for (NativeVector column : columns) {
      if (column != null) {
        column.skip(done);
      }
    }
  }

  /** The pairs are all there; those that are left are evaluated afterwards. */
  @Override
  public boolean halve() {
    if (pairs <= 1) {
      return false;
    }
    pairs /= 2;
    return true;
  }

  @Override
  public int rows() {
    return pairs;
  }

  @Override
  public NativeVector column(int ordinal) {
    return columns[ordinal];
  }
}
