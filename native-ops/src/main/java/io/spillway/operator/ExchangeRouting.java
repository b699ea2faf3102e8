package io.spillway.operator;

/** Says which partition each row of an exchange goes to. Used by one thread at a time. */
interface ExchangeRouting {
  /**
   * Writes the partitions of a slice's rows.
   *
   * @param pids address of an {@code int32_t} for each row
   */
  void route(SliceReader slice, long pids);
}
