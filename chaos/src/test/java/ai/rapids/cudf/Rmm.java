package ai.rapids.cudf;

/** Stands in for the class of that name: the agent knows its seams by name and signature alone. */
public final class Rmm {
  private Rmm() {}

  /** As the real one, by way of the other. */
  public static DeviceMemoryBuffer alloc(long size) {
    return alloc(size, null);
  }

  /** Takes a block. */
  public static DeviceMemoryBuffer alloc(long size, Cuda.Stream stream) {
    return new DeviceMemoryBuffer(stream == null ? size : -size);
  }
}
