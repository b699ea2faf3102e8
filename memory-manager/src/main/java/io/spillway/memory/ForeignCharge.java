package io.spillway.memory;

/**
 * Native memory that others allocate for an operator, charged to it as long as it lives: Spark's
 * off-heap column vectors, which Spark itself counts nowhere. It is reserved with Spark like the
 * operator's own, and stands in no ledger, as nobody here could free it. On the thread that works
 * with the operator.
 */
public final class ForeignCharge implements AutoCloseable {
  private final OperatorMemory operator;
  private final Reservation reservation;
  private long bytes;

  ForeignCharge(OperatorMemory operator, Reservation reservation) {
    this.operator = operator;
    this.reservation = reservation;
  }

  /**
   * Charges what there is now, instead of what there was. More climbs the ladder; it is memory that
   * exists, so the container guard is not asked.
   *
   * @param nowBytes 0 or more
   * @throws org.apache.spark.memory.SparkOutOfMemoryError if it cannot be reserved; the charge is
   *     as before
   */
  public void resize(long nowBytes) {
    if (nowBytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative: " + nowBytes);
    }
    long more = nowBytes - bytes;
    if (more > 0) {
      operator
          .task()
          .ladder()
          .climb(
              operator,
              more,
              () -> {
                operator.requireOpen();
                return reservation.takeOver(more) == Reservation.REFUSED ? null : Boolean.TRUE;
              });
    } else if (more < 0) {
      reservation.release(-more);
    }
    bytes = nowBytes;
  }

  /** What is charged. */
  public long bytes() {
    return bytes;
  }

  /** Charges nothing any more. Idempotent. */
  @Override
  public void close() {
    resize(0);
  }
}
