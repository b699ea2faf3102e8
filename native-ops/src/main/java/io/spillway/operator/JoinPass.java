package io.spillway.operator;

import org.apache.spark.sql.vectorized.ColumnarBatch;

/** One build side, or a part of it, joined with its probe rows. Used by the task's thread alone. */
interface JoinPass {
  /** The next batch; null when everything is put out, and not asked again then. */
  ColumnarBatch next();

  /** Frees memory without allocating any; the bytes freed. May be called at any allocation. */
  long spill(long bytes);

  /**
   * Ends the pass and frees its memory.
   *
   * @return what it has left on disk, to be joined afterwards; null if there is nothing
   */
  JoinLevel finish();
}
