package io.spillway.memory;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.arrow.memory.ArrowBuf;

/**
 * A block of native memory that belongs to an operator. Whoever asked for it closes it; what is
 * still open when its operator closes is freed there.
 *
 * <p>Used by one thread at a time; {@link #close} may be called from any.
 */
public final class NativeBlock implements AutoCloseable {
  private final OperatorMemory operator;
  private final ArrowBuf buffer;
  private final LedgeredBlock block;
  private final AtomicBoolean open = new AtomicBoolean(true);

  NativeBlock(OperatorMemory operator, ArrowBuf buffer, LedgeredBlock block) {
    this.operator = operator;
    this.buffer = buffer;
    this.block = block;
  }

  /**
   * Where it starts. Its content is undefined at first.
   *
   * @return the address, aligned to 16 bytes, to 4 KiB for blocks of 4 KiB and more
   * @throws IllegalStateException if it was closed, by itself or by its scope
   */
  public long address() {
    return ledgered().address();
  }

  /** Its size in bytes, at least what was asked for. */
  public long size() {
    return block.bytes();
  }

  /** Who handed it out, and is charged. */
  OperatorMemory operator() {
    return operator;
  }

  /** Its entry in the ledger; throws as {@link #address} does. */
  LedgeredBlock ledgered() {
    if (!open.get() || !block.isLive()) {
      throw new IllegalStateException(
          "a block of " + block.bytes() + " bytes of " + block.owner().name() + " is closed");
    }
    return block;
  }

  ArrowBuf buffer() {
    return buffer;
  }

  /** Frees it; its bytes become idle in the operator's reservation. Idempotent. */
  @Override
  public void close() {
    if (open.compareAndSet(true, false)) {
      operator.blocks().forget(this);
      buffer.getReferenceManager().release();
    }
  }

  /** This handle is no longer the one that frees the block: another has taken it over. */
  boolean detach() {
    return open.compareAndSet(true, false);
  }
}
