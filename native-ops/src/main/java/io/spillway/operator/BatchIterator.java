package io.spillway.operator;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * An operator's output on one partition. A batch is valid until {@link #hasNext()} or {@link
 * #next()} is called again. Used by one thread at a time.
 */
abstract class BatchIterator implements Iterator<ColumnarBatch> {
  private final OperatorMetrics metrics;
  private ColumnarBatch batch;
  private boolean finished;

  BatchIterator(OperatorMetrics metrics) {
    this.metrics = metrics;
  }

  /** The next batch with at least one row; null when there is none, and not asked again then. */
  abstract ColumnarBatch compute();

  @Override
  public final boolean hasNext() {
    if (batch == null && !finished) {
      batch = compute();
      if (batch == null) {
        finished = true;
      } else {
        metrics.batch(batch.numRows());
      }
    }
    return batch != null;
  }

  @Override
  public final ColumnarBatch next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    ColumnarBatch result = batch;
    batch = null;
    return result;
  }
}
