package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.ExchangeAbi;
import io.spillway.kernel.ExchangeKernels;
import io.spillway.memory.NativeBlock;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;

/**
 * The reduce side of an exchange: reads images straight into native memory. Small ones, which many
 * mappers times many partitions give, are put together to a batch; of a large one the batch's
 * columns point into it.
 */
final class ExchangeReadIterator extends BatchIterator {
  private static final int MOST_IMAGES = 64;
  private static final long SMALLEST_INPUT_BYTES = 8 * 1024;
  private static final long LARGEST_INPUT_BYTES = 1024 * 1024;

  private final Iterator<InternalRow> images;
  private final NativeExchange.RowCount rowCount;
  private final OperatorContext context;
  private final BatchView view;
  private final int columns;
  private final int maxRows;
  private final long inputBytes;
  private final ColumnBuffer[] buffers;
  private final long block;
  private final long table;
  private final long descriptors;
  private NativeBlock input;

  /** Its header was read, but it did not fit any more. */
  private ImageInput pending;

  ExchangeReadIterator(
      Iterator<InternalRow> images,
      List<DataType> types,
      OperatorMetrics metrics,
      NativeExchange.RowCount rowCount) {
    super(metrics);
    this.images = images;
    this.rowCount = rowCount;
    context = OperatorContext.open("Exchange(read)", null, metrics);
    view = new BatchView(types);
    columns = types.size();
    maxRows = context.batchRows(types);
    inputBytes =
        Math.max(
            SMALLEST_INPUT_BYTES, Math.min(LARGEST_INPUT_BYTES, context.budget().shareBytes() / 8));
    buffers = new ColumnBuffer[columns];
    NativeBlock arena =
        context
            .memory()
            .allocate(
                ExchangeAbi.READ_SIZE
                    + (long) MOST_IMAGES * ExchangeAbi.IMAGE_SIZE
                    + (long) Math.max(1, columns) * Abi.COLUMN_SIZE);
    block = arena.address();
    table = block + ExchangeAbi.READ_SIZE;
    descriptors = table + (long) MOST_IMAGES * ExchangeAbi.IMAGE_SIZE;
    Platform.putLong(null, block + ExchangeAbi.READ_IMAGES, table);
    Platform.putLong(null, block + ExchangeAbi.READ_COLUMNS, descriptors);
    Platform.putInt(null, block + ExchangeAbi.READ_NCOLUMNS, columns);
    Platform.putInt(null, block + ExchangeAbi.READ_CAPACITY, maxRows);
  }

  @Override
  ColumnarBatch compute() {
    int count = readImages();
    if (count == 0) {
      context.end();
      return null;
    }
    for (int i = 0; i < columns; i++) {
      int type = view.vector(i).nativeType();
      if (count > 1 && buffers[i] == null) {
        buffers[i] = ColumnBuffer.allocate(context.memory(), type, maxRows);
      }
      NativeVector.describe(
          descriptor(i),
          type,
          Abi.KIND_VECTOR,
          count > 1 ? buffers[i].values() : 0,
          count > 1 ? buffers[i].nulls() : 0);
    }
    Platform.putInt(null, block + ExchangeAbi.READ_NIMAGES, count);
    int rows = (int) ExchangeKernels.readImages(block);
    for (int i = 0; i < columns; i++) {
      view.vector(i)
          .pointTo(
              Platform.getLong(null, descriptor(i) + Abi.COLUMN_VALUES),
              Platform.getLong(null, descriptor(i) + Abi.COLUMN_NULLS),
              rows);
    }
    return view.batch(rows);
  }

  /**
   * Frees its memory before the end of its input; no batch may be looked at any more. Idempotent.
   */
  void close() {
    context.end();
  }

  /** Reads as many images as a batch and the input's room take; at least one if there is one. */
  private int readImages() {
    int count = 0;
    int rows = 0;
    long used = 0;
    while (count < MOST_IMAGES && rows <= maxRows / 2 && hasImage()) {
      if (count == 0) {
        context.memory().batchBoundary();
        reserve(pending.bytes());
      } else if (rows + (long) pending.rows() > maxRows || used + pending.bytes() > input.size()) {
        break;
      }
      long entry = table + (long) count * ExchangeAbi.IMAGE_SIZE;
      Platform.putLong(null, entry + ExchangeAbi.IMAGE_ADDRESS, input.address() + used);
      Platform.putLong(null, entry + ExchangeAbi.IMAGE_BYTES, pending.bytes());
      pending.readTo(input.address() + used);
      used += pending.bytes();
      rows += pending.rows();
      rowCount.image(pending.rows());
      pending = null;
      count++;
    }
    return count;
  }

  private boolean hasImage() {
    if (pending == null && images.hasNext()) {
      pending = ImageInput.in(images.next());
    }
    return pending != null;
  }

  /** Room for the next images; what one large image needed is not kept for small ones. */
  private void reserve(int bytes) {
    long wanted = Math.max(inputBytes, bytes);
    if (input != null && (input.size() < bytes || input.size() > 2 * wanted)) {
      input.close();
      input = null;
    }
    if (input == null) {
      input = context.memory().allocate(wanted);
    }
  }

  private long descriptor(int column) {
    return descriptors + (long) column * Abi.COLUMN_SIZE;
  }
}
