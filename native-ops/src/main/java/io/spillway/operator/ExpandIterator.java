package io.spillway.operator;

import io.spillway.expression.Program;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Evaluates several projections over each slice, one after another; plain column references are
 * passed on without a copy. Used by one thread at a time.
 */
final class ExpandIterator extends BatchIterator {
  private final OperatorContext context;
  private final SliceReader slice;
  private final Evaluator[] evaluators;
  private final BatchView view;
  private final Part part;
  private final int columns;
  private int next;

  ExpandIterator(
      Iterator<ColumnarBatch> child,
      List<Program> programs,
      List<DataType> inputTypes,
      List<DataType> outputTypes,
      OperatorMetrics metrics) {
    super(metrics);
    context = OperatorContext.open("Expand", null, metrics);
    int maxRows = Math.min(context.batchRows(inputTypes), context.batchRows(outputTypes));
    // Each projection has room of its own for what it computes.
    maxRows = Math.max(64, Integer.highestOneBit(maxRows / programs.size()));
    boolean[] needed = new boolean[inputTypes.size()];
    for (Program program : programs) {
      boolean[] some = Evaluator.needed(program, needed.length);
      for (int i = 0; i < needed.length; i++) {
        needed[i] |= some[i];
      }
    }
    slice = new SliceReader(child, context, inputTypes, needed, maxRows);
    part = new Part(slice, inputTypes, needed);
    evaluators = new Evaluator[programs.size()];
    for (int i = 0; i < evaluators.length; i++) {
      evaluators[i] = new Evaluator(context, programs.get(i), maxRows);
    }
    view = new BatchView(outputTypes);
    columns = outputTypes.size();
    next = evaluators.length;
  }

  /** The rows of a slice that a projection has still to put out, or the first of them. */
  private static final class Part implements NativeColumns {
    private final SliceReader slice;
    private final NativeVector[] columns;
    private int first;
    private int rows;

    Part(SliceReader slice, List<DataType> types, boolean[] needed) {
      this.slice = slice;
      this.columns = new NativeVector[needed.length];
      for (int i = 0; i < columns.length; i++) {
        columns[i] = needed[i] ? new NativeVector(types.get(i)) : null;
      }
    }

    /** Moves to the rows from one on. */
    void from(int row) {
      first = row;
      rows = slice.rows() - row;
      for (int i = 0; i < columns.length; i++) {
        if (columns[i] != null) {
          NativeVector whole = slice.column(i);
          columns[i].pointTo(whole.values(), whole.nulls(), whole.rows()).skip(row);
        }
      }
    }

    /** The row behind the last one; the slice's end if these were all. */
    int end() {
      return first + rows;
    }

    @Override
    public int rows() {
      return rows;
    }

    @Override
    public NativeVector column(int ordinal) {
      return columns[ordinal];
    }

    /** The other projections read the whole slice, too. */
    @Override
    public boolean halve() {
      if (rows <= 1) {
        return false;
      }
      rows /= 2;
      return true;
    }
  }

  @Override
  ColumnarBatch compute() {
    if (next == evaluators.length) {
      if (!slice.advance()) {
        context.end();
        return null;
      }
      next = 0;
      part.from(0);
    }
    Evaluator evaluator = evaluators[next];
    evaluator.evaluate(part);
    int rows = part.rows();
    for (int i = 0; i < columns; i++) {
      evaluator.view(i, rows, view.vector(i));
    }
    if (part.end() == slice.rows()) {
      next++;
      part.from(0);
    } else {
      part.from(part.end());
    }
    return view.batch(rows);
  }
}
