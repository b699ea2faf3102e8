package io.spillway.operator;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.Partitioner;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.util.MutablePair;
import scala.Product2;

/**
 * The map side of an exchange: gathers rows by partition and hands them, as images, to Spark's
 * shuffle writer. When memory is short it hands out what it has instead of spilling it; the writer
 * spills. An image is valid until {@link #hasNext()} is called again. Used by one thread at a time.
 */
final class ExchangeWriteIterator implements Iterator<Product2<Object, InternalRow>> {
  private final NativeExchange.RowCount rowCount;
  private final OperatorContext context;
  private final SliceReader slice;
  private final ExchangeRouting routing;
  private final long pids;
  private final ExchangeStore store;
  private final OutgoingImage image = new OutgoingImage();
  private final MutablePair<Object, InternalRow> pair = new MutablePair<>(0, image.row());
  private int sliceRow;
  private int sliceRows;
  private boolean handingOut;
  private boolean inputEnded;
  private boolean ended;
  private boolean ready;

  /**
   * @param name of the operator, in what is said of its memory
   */
  ExchangeWriteIterator(
      String name,
      Iterator<ColumnarBatch> child,
      NativeExchange exchange,
      Partitioner partitioner,
      OperatorMetrics metrics,
      NativeExchange.RowCount rowCount) {
    this.rowCount = rowCount;
    Pressure pressure = new Pressure();
    context = OperatorContext.open(name, pressure::spill, metrics);
    List<DataType> types = exchange.types();
    int maxRows = context.batchRows(types);
    boolean[] needed = new boolean[types.size()];
    Arrays.fill(needed, true);
    slice = new SliceReader(child, context, types, needed, maxRows);
    pids = context.memory().allocate(4L * maxRows).address();
    Platform.setMemory(pids, (byte) 0, 4L * maxRows);
    routing = exchange.routing(context, partitioner, maxRows);
    store = new ExchangeStore(context, types, partitioner.numPartitions(), maxRows);
    pressure.store = store;
  }

  /** The operator's memory is opened before its store: until then there is nothing to give. */
  private static final class Pressure {
    private ExchangeStore store;

    long spill(long bytes) {
      return store == null ? 0 : store.shed();
    }
  }

  @Override
  public boolean hasNext() {
    if (!ready && !ended) {
      ready = compute();
      if (!ready) {
        ended = true;
        context.end();
      }
    }
    return ready;
  }

  @Override
  public Product2<Object, InternalRow> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    ready = false;
    return pair;
  }

  /**
   * Instead of the image that {@link #next()} gave, one of its columns with the same rows, in its
   * place.
   *
   * @param target is pointed to it
   */
  void columnImage(int column, OutgoingImage target) {
    store.columnImage(column, target);
  }

  private boolean compute() {
    while (true) {
      if (handingOut) {
        context.memory().batchBoundary();
        if (store.nextImage(image)) {
          pair.update(store.imagePartition(), image.row());
          rowCount.image(store.imageRows());
          return true;
        }
        handingOut = false;
        store.clear();
      }
      if (inputEnded) {
        return false;
      }
      read();
    }
  }

  /** Stores a slice, or what is left of one; starts to hand out if it must. */
  private void read() {
    if (sliceRow == sliceRows) {
      if (!slice.advance()) {
        inputEnded = true;
        startOutput();
        return;
      }
      sliceRow = 0;
      sliceRows = slice.rows();
      routing.route(slice, pids);
      store.setInput(slice, pids);
    }
    int stored = store.append(sliceRow);
    sliceRow += stored;
    if (stored == 0 || store.isWanted()) {
      startOutput();
    }
  }

  private void startOutput() {
    handingOut = true;
    store.startOutput();
  }
}
