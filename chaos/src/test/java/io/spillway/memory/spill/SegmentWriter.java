package io.spillway.memory.spill;

import java.io.IOException;

/** Stands in for the class of that name: the agent knows its seams by name and signature alone. */
public final class SegmentWriter {
  private final SpillOutput output = new SpillOutput();
  private int frames;

  /**
   * Counts the frame and stores its four figures as bytes.
   *
   * @throws IOException as the real one does
   */
  public void write(long address, int frontBytes, int backFrom, int capacity) throws IOException {
    if (backFrom > capacity) {
      throw new IOException("no such frame at " + address + " after " + frontBytes);
    }
    output.write(
        new byte[] {(byte) address, (byte) frontBytes, (byte) backFrom, (byte) capacity}, 0, 4);
    frames++;
  }

  /** Ends the segment. */
  public SpillSegment finish() {
    return new SpillSegment(frames);
  }

  /** Frames that were really written. */
  public int frames() {
    return frames;
  }

  /** What lies on the disk. */
  public byte[] stored() {
    return output.stored();
  }
}
