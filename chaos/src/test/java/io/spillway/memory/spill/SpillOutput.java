package io.spillway.memory.spill;

import java.io.OutputStream;
import java.util.Arrays;

/** Stands in for the class of that name: the agent knows its seams by name and signature alone. */
final class SpillOutput extends OutputStream {
  private byte[] stored = new byte[0];

  @Override
  public void write(int value) {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    int before = stored.length;
    stored = Arrays.copyOf(stored, before + length);
    System.arraycopy(bytes, offset, stored, before, length);
  }

  byte[] stored() {
    return stored;
  }
}
