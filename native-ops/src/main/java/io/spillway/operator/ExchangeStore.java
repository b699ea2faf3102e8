package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.ExchangeAbi;
import io.spillway.kernel.ExchangeKernels;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.Platform;

/**
 * Rows on their way to their partitions: gathered in chunks, column by column, then handed out as
 * images by partition. Mirrors a {@code spw_exchange}. Takes up to half of its operator's share for
 * chunks and long strings together, and a little for the images; is emptied when it is refused
 * more. Used by one thread at a time.
 */
final class ExchangeStore {
  /** More rows at once would leave the processor's caches while they are sorted out. */
  private static final long MOST_BYTES = 8L << 20;

  private static final long SMALLEST_BYTES = 4 * 1024;
  private static final long LARGEST_IMAGE_BYTES = 512 * 1024;

  private final OperatorMemory memory;
  private final ExchangeLayout layout;
  private final TextRoom text;
  private final int partitions;
  private final int chunkRows;
  private final int mostChunks;
  private final long block;
  private final long counts;
  private final long chunkTable;
  private final NativeBlock[] chunks;
  private int chunkCount;
  private NativeBlock refs;
  private final NativeBlock image;

  /** Instead of {@link #image} for a row that is larger. */
  private NativeBlock largeImage;

  private int nextRef;
  private int partition;
  private int imageRows;

  /** Whether the blocks are in use now: they cannot be given back. */
  private boolean busy;

  private boolean wanted;

  /**
   * @param chunkRows a power of two, at least as many as the rows of an input
   */
  ExchangeStore(OperatorContext context, List<DataType> types, int partitions, int chunkRows) {
    this.memory = context.memory();
    this.partitions = partitions;
    this.chunkRows = chunkRows;
    long shareBytes = context.budget().shareBytes();
    long limitBytes = Math.min(MOST_BYTES, shareBytes / 4);
    // Taken now: handing rows out must not need memory.
    image =
        memory.allocate(Math.max(SMALLEST_BYTES, Math.min(LARGEST_IMAGE_BYTES, shareBytes / 16)));
    text = new TextRoom(memory, Math.max(SMALLEST_BYTES, limitBytes));
    layout = new ExchangeLayout(types, chunkRows);
    mostChunks = (int) Math.max(1, limitBytes / layout.chunkBytes());
    chunks = new NativeBlock[mostChunks];
    int columns = types.size();
    Arena size = new Arena(0);
    size.take(ExchangeAbi.EXCHANGE_SIZE);
    size.take((long) columns * Abi.COLUMN_SIZE);
    size.take(layout.bytes());
    size.take(8L * mostChunks);
    size.take(4L * partitions);
    Arena arena = new Arena(memory.allocate(size.used()).address());
    block = arena.take(ExchangeAbi.EXCHANGE_SIZE);
    Platform.setMemory(block, (byte) 0, ExchangeAbi.EXCHANGE_SIZE);
    Platform.putLong(
        null, block + ExchangeAbi.EXCHANGE_COLUMNS, arena.take((long) columns * Abi.COLUMN_SIZE));
    Platform.putLong(
        null, block + ExchangeAbi.EXCHANGE_LAYOUT, layout.writeTo(arena.take(layout.bytes())));
    chunkTable = arena.take(8L * mostChunks);
    Platform.putLong(null, block + ExchangeAbi.EXCHANGE_CHUNKS, chunkTable);
    counts = arena.take(4L * partitions);
    Platform.setMemory(counts, (byte) 0, 4L * partitions);
    Platform.putLong(null, block + ExchangeAbi.EXCHANGE_COUNTS, counts);
    Platform.putInt(null, block + ExchangeAbi.EXCHANGE_NCOLUMNS, columns);
    Platform.putInt(null, block + ExchangeAbi.EXCHANGE_NPARTITIONS, partitions);
    Platform.putInt(
        null, block + ExchangeAbi.EXCHANGE_CHUNK_BITS, Integer.numberOfTrailingZeros(chunkRows));
  }

  /**
   * Says what {@link #append} reads.
   *
   * @param pids address of the rows' partitions
   */
  void setInput(SliceReader slice, long pids) {
    long columns = Platform.getLong(null, block + ExchangeAbi.EXCHANGE_COLUMNS);
    int count = Platform.getInt(null, block + ExchangeAbi.EXCHANGE_NCOLUMNS);
    for (int i = 0; i < count; i++) {
      slice.column(i).describeTo(columns + (long) i * Abi.COLUMN_SIZE);
    }
    Platform.putLong(null, block + ExchangeAbi.EXCHANGE_PIDS, pids);
    Platform.putInt(null, block + ExchangeAbi.EXCHANGE_ROWS, slice.rows());
  }

  /**
   * Stores rows of the input from one on.
   *
   * @return how many, at least 1; or 0 if what is stored must be handed out first
   * @throws org.apache.spark.memory.SparkOutOfMemoryError if there is no room even for one row,
   *     though nothing is stored
   */
  int append(int start) {
    busy = true;
    try {
      while (true) {
        long result = ExchangeKernels.append(block, start);
        if (result > 0) {
          return (int) result;
        }
        boolean more =
            result == 0
                ? addChunk()
                : text.add(
                    Platform.getLong(null, block + ExchangeAbi.EXCHANGE_NEED), block, isEmpty());
        if (!more) {
          return 0;
        }
      }
    } finally {
      busy = false;
    }
  }

  private boolean addChunk() {
    if (chunkCount == mostChunks) {
      return false;
    }
    // All before anything is changed: after a refusal the store is handed out as it is.
    long refsBytes = 4L * chunkRows * (chunkCount + 1);
    NativeBlock moreRefs = null;
    if (refs == null || refs.size() < refsBytes) {
      moreRefs = take(Math.min(4L * chunkRows * mostChunks, 2 * refsBytes));
      if (moreRefs == null) {
        return false;
      }
    }
    NativeBlock chunk = take(layout.chunkBytes());
    if (chunk == null) {
      if (moreRefs != null) {
        moreRefs.close();
      }
      return false;
    }
    if (moreRefs != null) {
      if (refs != null) {
        refs.close();
      }
      refs = moreRefs;
      Platform.putLong(null, block + ExchangeAbi.EXCHANGE_REFS, refs.address());
    }
    chunks[chunkCount] = chunk;
    Platform.putLong(null, chunkTable + 8L * chunkCount, chunk.address());
    chunkCount++;
    Platform.putInt(null, block + ExchangeAbi.EXCHANGE_NCHUNKS, chunkCount);
    return true;
  }

  /** Room for more, by one grant only if there is something that can be handed out instead. */
  private NativeBlock take(long bytes) {
    return isEmpty()
        ? memory.allocate(bytes)
        : memory.withoutSpilling(() -> memory.tryAllocate(bytes));
  }

  private int stored() {
    return Platform.getInt(null, block + ExchangeAbi.EXCHANGE_STORED);
  }

  private boolean isEmpty() {
    return stored() == 0;
  }

  /** Sorts what is stored by partition, so that it can be handed out; it must be cleared then. */
  void startOutput() {
    busy = true;
    if (!isEmpty()) {
      ExchangeKernels.sort(block);
    }
    nextRef = 0;
    partition = 0;
  }

  /**
   * Makes the next image, in the order of the partitions, where the last one was.
   *
   * @param target is pointed to it
   * @return false if everything has been handed out
   */
  boolean nextImage(OutgoingImage target) {
    int stored = stored();
    if (nextRef == stored) {
      return false;
    }
    while (Platform.getInt(null, counts + 4L * partition) == nextRef) {
      partition++;
    }
    int end = Math.min(Platform.getInt(null, counts + 4L * partition), nextRef + chunkRows);
    closeLargeImage();
    writeTo(image);
    long rows = ExchangeKernels.image(block, nextRef, end);
    if (rows < 0) {
      largeImage = memory.allocate(Platform.getLong(null, block + ExchangeAbi.EXCHANGE_NEED));
      writeTo(largeImage);
      rows = ExchangeKernels.image(block, nextRef, end);
      if (rows <= 0) {
        // Were it taken for a number of rows, rows would be handed out twice.
        throw new IllegalStateException(
            "a row of partition "
                + partition
                + " needs an image of "
                + Platform.getLong(null, block + ExchangeAbi.EXCHANGE_NEED)
                + " bytes, more than the "
                + largeImage.size()
                + " that were asked for it: kernel exchange_image answered "
                + rows);
      }
    }
    imageRows = (int) rows;
    nextRef += imageRows;
    pointToImage(target);
    return true;
  }

  /**
   * Makes an image of one column of the last image's rows, in that one's place.
   *
   * @param target is pointed to it
   */
  void columnImage(int column, OutgoingImage target) {
    long all = Platform.getLong(null, block + ExchangeAbi.EXCHANGE_LAYOUT);
    int columns = Platform.getInt(null, block + ExchangeAbi.EXCHANGE_NCOLUMNS);
    Platform.putLong(
        null, block + ExchangeAbi.EXCHANGE_LAYOUT, all + (long) column * ExchangeAbi.COLUMN_SIZE);
    Platform.putInt(null, block + ExchangeAbi.EXCHANGE_NCOLUMNS, 1);
    try {
      // It fits: all columns did.
      ExchangeKernels.image(block, nextRef - imageRows, nextRef);
    } finally {
      Platform.putLong(null, block + ExchangeAbi.EXCHANGE_LAYOUT, all);
      Platform.putInt(null, block + ExchangeAbi.EXCHANGE_NCOLUMNS, columns);
    }
    pointToImage(target);
  }

  private void pointToImage(OutgoingImage target) {
    target.pointTo(
        Platform.getLong(null, block + ExchangeAbi.EXCHANGE_IMAGE),
        Platform.getInt(null, block + ExchangeAbi.EXCHANGE_IMAGE_BYTES));
  }

  /** The partition that the last image belongs to. */
  int imagePartition() {
    return partition;
  }

  /** Rows of the last image. */
  int imageRows() {
    return imageRows;
  }

  private void writeTo(NativeBlock room) {
    Platform.putLong(null, block + ExchangeAbi.EXCHANGE_IMAGE, room.address());
    Platform.putLong(null, block + ExchangeAbi.EXCHANGE_IMAGE_CAPACITY, room.size());
  }

  private void closeLargeImage() {
    if (largeImage != null) {
      largeImage.close();
      largeImage = null;
    }
  }

  /** Forgets what was handed out. The blocks are kept for more rows, unless others want them. */
  void clear() {
    Platform.putInt(null, block + ExchangeAbi.EXCHANGE_STORED, 0);
    Platform.setMemory(counts, (byte) 0, 4L * partitions);
    layout.clearNulls();
    busy = false;
    closeLargeImage();
    text.clear(block);
    if (wanted) {
      wanted = false;
      release();
    }
  }

  /** Whether others want memory, so that what is stored should be handed out now. */
  boolean isWanted() {
    return wanted;
  }

  /**
   * Others want memory: an empty store gives its blocks back, any other is handed out at its next
   * step.
   *
   * @return bytes given back
   */
  long shed() {
    if (busy || !isEmpty()) {
      wanted = true;
      return 0;
    }
    return release();
  }

  private long release() {
    long freed = text.release(block);
    for (int i = 0; i < chunkCount; i++) {
      freed += chunks[i].size();
      chunks[i].close();
      chunks[i] = null;
    }
    chunkCount = 0;
    Platform.putInt(null, block + ExchangeAbi.EXCHANGE_NCHUNKS, 0);
    if (refs != null) {
      freed += refs.size();
      refs.close();
      refs = null;
    }
    return freed;
  }
}
