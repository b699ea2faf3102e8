package io.spillway.memory.spill;

/**
 * A finished run of frames in a {@link SpillFile}; valid as long as that file is open.
 *
 * @param part which of the spill file's files holds it: 0, or more after a disk was full
 * @param offset of its first byte in that file
 * @param length in bytes, as stored
 * @param frames how many frames it has
 */
public record SpillSegment(int part, long offset, long length, int frames) {}
