package io.spillway.operator;

import io.spillway.kernel.Abi;
import io.spillway.memory.spill.SegmentWriter;
import java.io.IOException;
import org.apache.spark.unsafe.Platform;

/** What all that keep rows in pages do with a page. */
final class RowPages {
  private RowPages() {}

  /**
   * Writes a page with its rows in front and their strings at its end, and not what is free between
   * them; a {@link PageReader} reads it back.
   *
   * @param rowWidth bytes of a row
   */
  static void write(SegmentWriter writer, long page, int rowWidth) throws IOException {
    int rows = Platform.getInt(null, page + Abi.PAGE_ROWS);
    writer.write(
        page,
        Abi.PAGE_SIZE + rows * rowWidth,
        Platform.getInt(null, page + Abi.PAGE_BACK),
        Platform.getInt(null, page + Abi.PAGE_CAPACITY));
  }
}
