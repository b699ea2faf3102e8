package io.spillway.kernel;

/** Stands in for the class of that name: the agent knows its seams by name and signature alone. */
public final class Kernels {
  private Kernels() {}

  /** No kernel: the result is no long. */
  public static boolean available() {
    return true;
  }

  /** A kernel. */
  public static long eval(long block) {
    return checked(block);
  }

  /** A kernel of another signature. */
  public static long take(long in, long out, int ncolumns, long selection, int count) {
    return checked(in + out + ncolumns + selection + count);
  }

  private static long checked(long result) {
    return result;
  }
}
