package ai.rapids.cudf;

/** Stands in for the class of that name: the agent knows its seams by name and signature alone. */
public final class Cuda {
  private Cuda() {}

  /** A stream. */
  public static final class Stream {}
}
