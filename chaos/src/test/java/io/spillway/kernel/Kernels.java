package io.spillway.kernel;

/** Stands in for the class of that name: the agent knows its seams by name and signature alone. */
public final class Kernels {
  private Kernels() {}

  /** No kernel: the result is no long. */
  public static boolean available() {
    return true;
  }

  /** A kernel on columns. */
  public static long eval(long block) {
    return checked(block);
  }

  /** A kernel on columns. */
  public static long select(long values, long nulls, int rows, long out) {
    return checked(values + nulls + rows + out);
  }

  /** A kernel on columns. */
  public static long take(long in, long out, int ncolumns, long selection, int count) {
    return checked(in + out + ncolumns + selection + count);
  }

  /** A kernel on columns. */
  public static long rowsToColumns(long block) {
    return checked(block);
  }

  /** A kernel on columns. */
  public static long dictionary(
      int type, long dictionary, int entries, long ids, long nulls, int rows, long out) {
    return checked(type + dictionary + entries + ids + nulls + rows + out);
  }

  /** A kernel on columns. */
  public static long strings(
      long offsets, long lengths, long data, long dataBytes, long nulls, int rows, long out) {
    return checked(offsets + lengths + data + dataBytes + nulls + rows + out);
  }

  /** A kernel on columns. */
  public static long decimals(
      long offsets, long lengths, long data, long dataBytes, long nulls, int rows, long out) {
    return checked(offsets + lengths + data + dataBytes + nulls + rows + out);
  }

  /** A kernel on columns. */
  public static long widen(int from, long in, int rows, long out) {
    return checked(from + in + rows + out);
  }

  /** A kernel on an operator's state. */
  public static long aggAdd(long block, long start) {
    return checked(block + start);
  }

  private static long checked(long result) {
    return result;
  }
}
