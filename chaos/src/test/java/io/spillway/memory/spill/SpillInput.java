package io.spillway.memory.spill;

import java.io.IOException;
import java.io.InputStream;

/** Stands in for the class of that name: the agent knows its seams by name and signature alone. */
final class SpillInput extends InputStream {
  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0];
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    bytes[offset] = 42;
    return 1;
  }
}
