package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.kernel.SortAbi;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.unsafe.Platform;

/**
 * The native description of a sort's rows and keys (see {@code spw_abi_sort.h}), which lives in the
 * memory that the caller gives.
 */
final class SortLayout {
  private final RowLayout rows;
  private final int[] strings;
  private final int keyCount;
  private final long keyMemory;
  private final long stringMemory;

  /** Bytes of native memory that the description needs. */
  static long bytes(int[] types, List<SortSpec.Key> keys) {
    Arena size = new Arena(0);
    int columns = types.length;
    size.take(RowLayout.bytes(columns));
    size.take((long) keys.size() * SortAbi.KEY_SIZE);
    size.take(4L * columns);
    return size.used();
  }

  /**
   * @param types kernel types of the columns
   * @param keys in the order in which they are compared
   * @param memory address of {@link #bytes} bytes, which must outlive this layout
   */
  SortLayout(int[] types, List<SortSpec.Key> keys, long memory) {
    Arena at = new Arena(memory);
    rows = new RowLayout(types, at.take(RowLayout.bytes(types.length)));
    keyCount = keys.size();
    keyMemory = at.take((long) keyCount * SortAbi.KEY_SIZE);
    for (int i = 0; i < keyCount; i++) {
      SortSpec.Key key = keys.get(i);
      long target = keyMemory + (long) i * SortAbi.KEY_SIZE;
      Platform.putInt(null, target + SortAbi.KEY_COLUMN, key.column());
      Platform.putInt(null, target + SortAbi.KEY_DESCENDING, key.descending() ? 1 : 0);
      Platform.putInt(null, target + SortAbi.KEY_NULLS_LAST, key.nullsLast() ? 1 : 0);
      Platform.putInt(null, target + SortAbi.KEY_NULLABLE, key.nullable() ? 1 : 0);
    }
    strings =
        IntStream.range(0, types.length).filter(column -> types[column] == Abi.T_STR).toArray();
    stringMemory = at.take(4L * types.length);
    for (int i = 0; i < strings.length; i++) {
      Platform.putInt(null, stringMemory + 4L * i, strings[i]);
    }
  }

  RowLayout rows() {
    return rows;
  }

  /**
   * Fills a {@code spw_sort} that has no runs yet.
   *
   * @param block address of the structure
   * @param partition address of the {@code spw_partition} whose rows are sorted
   */
  void describe(long block, long partition) {
    Platform.setMemory(block, (byte) 0, SortAbi.SORT_SIZE);
    Platform.putLong(null, block + SortAbi.SORT_LAYOUT, rows.address());
    Platform.putLong(null, block + SortAbi.SORT_KEYS, keyMemory);
    Platform.putLong(null, block + SortAbi.SORT_STRINGS, stringMemory);
    Platform.putLong(null, block + SortAbi.SORT_PARTITION, partition);
    Platform.putInt(null, block + SortAbi.SORT_NCOLUMNS, rows.columns());
    Platform.putInt(null, block + SortAbi.SORT_ROW_WIDTH, rows.rowWidth());
    Platform.putInt(null, block + SortAbi.SORT_NKEYS, keyCount);
    Platform.putInt(null, block + SortAbi.SORT_NSTRINGS, strings.length);
  }
}
