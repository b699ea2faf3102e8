package io.spillway.chaos.internal.dispatch;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * Damages a block between the moment at which a task asks for the next one and that at which it has
 * it: Spark opens the block in between, on the same thread.
 */
final class FetchDamage {
  @SuppressWarnings("ThreadLocalUsage") // Removed before the seam's method ends.
  private static final ThreadLocal<Boolean> WAITING = new ThreadLocal<>();

  /** False as long as there was never any damage, so that opening costs one read of a field. */
  private static volatile boolean used;

  private FetchDamage() {}

  /** The next block that this thread opens is to be damaged. */
  static void await() {
    used = true;
    WAITING.set(Boolean.TRUE);
  }

  /** The thread has its block, or none. */
  static void forget() {
    WAITING.remove();
  }

  /** The block as given, or one whose first byte is turned over. */
  static InputStream opened(InputStream block) {
    if (!used || WAITING.get() == null) {
      return block;
    }
    WAITING.remove();
    return new Damaged(block);
  }

  /** Where every codec has its magic number, and a cipher its initial vector. */
  private static final class Damaged extends FilterInputStream {
    private boolean done;

    Damaged(InputStream in) {
      super(Objects.requireNonNull(in));
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = super.read(bytes, offset, length);
      if (!done && read > 0) {
        done = true;
        bytes[offset] ^= (byte) 0xff;
      }
      return read;
    }

    /** Going back would read the first byte undamaged. */
    @Override
    public boolean markSupported() {
      return false;
    }
  }
}
