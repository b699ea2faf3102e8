package io.spillway.operator;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.spark.sql.execution.vectorized.Dictionary;
import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;

/**
 * The private storage of Spark's column vectors, so that a scan's values are read where they lie.
 *
 * <p>Looked up once; on a Spark whose vectors look different {@link #available()} is false and
 * every column goes through its public getters instead, slower and with the same result. Stateless.
 */
final class SparkVectors {
  private static final Handles HANDLES = Handles.find();

  private SparkVectors() {}

  /** Whether the storage can be read on this version of Spark. */
  static boolean available() {
    return HANDLES != null;
  }

  static byte[] nulls(OnHeapColumnVector vector) {
    return (byte[]) HANDLES.nulls.get(vector);
  }

  static byte[] bytes(OnHeapColumnVector vector) {
    return (byte[]) HANDLES.bytes.get(vector);
  }

  static short[] shorts(OnHeapColumnVector vector) {
    return (short[]) HANDLES.shorts.get(vector);
  }

  static int[] ints(OnHeapColumnVector vector) {
    return (int[]) HANDLES.ints.get(vector);
  }

  static long[] longs(OnHeapColumnVector vector) {
    return (long[]) HANDLES.longs.get(vector);
  }

  static float[] floats(OnHeapColumnVector vector) {
    return (float[]) HANDLES.floats.get(vector);
  }

  static double[] doubles(OnHeapColumnVector vector) {
    return (double[]) HANDLES.doubles.get(vector);
  }

  static int[] lengths(OnHeapColumnVector vector) {
    return (int[]) HANDLES.lengths.get(vector);
  }

  static int[] offsets(OnHeapColumnVector vector) {
    return (int[]) HANDLES.offsets.get(vector);
  }

  /** Address of the null bytes of an off-heap vector (1 = null). */
  static long nulls(OffHeapColumnVector vector) {
    return (long) HANDLES.nativeNulls.get(vector);
  }

  /** The dictionary of a vector that {@code hasDictionary()}. */
  static Dictionary dictionary(WritableColumnVector vector) {
    return (Dictionary) HANDLES.dictionary.get(vector);
  }

  /** Whether the vector was declared all null without a null byte having been written. */
  static boolean isAllNull(WritableColumnVector vector) {
    return (boolean) HANDLES.isAllNull.get(vector);
  }

  private record Handles(
      VarHandle nulls,
      VarHandle bytes,
      VarHandle shorts,
      VarHandle ints,
      VarHandle longs,
      VarHandle floats,
      VarHandle doubles,
      VarHandle lengths,
      VarHandle offsets,
      VarHandle nativeNulls,
      VarHandle dictionary,
      VarHandle isAllNull) {

    static Handles find() {
      try {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Class<?> onHeapClass = OnHeapColumnVector.class;
        MethodHandles.Lookup onHeap = MethodHandles.privateLookupIn(onHeapClass, lookup);
        MethodHandles.Lookup offHeap =
            MethodHandles.privateLookupIn(OffHeapColumnVector.class, lookup);
        MethodHandles.Lookup writable =
            MethodHandles.privateLookupIn(WritableColumnVector.class, lookup);
        return new Handles(
            onHeap.findVarHandle(onHeapClass, "nulls", byte[].class),
            onHeap.findVarHandle(onHeapClass, "byteData", byte[].class),
            onHeap.findVarHandle(onHeapClass, "shortData", short[].class),
            onHeap.findVarHandle(onHeapClass, "intData", int[].class),
            onHeap.findVarHandle(onHeapClass, "longData", long[].class),
            onHeap.findVarHandle(onHeapClass, "floatData", float[].class),
            onHeap.findVarHandle(onHeapClass, "doubleData", double[].class),
            onHeap.findVarHandle(onHeapClass, "arrayLengths", int[].class),
            onHeap.findVarHandle(onHeapClass, "arrayOffsets", int[].class),
            offHeap.findVarHandle(OffHeapColumnVector.class, "nulls", long.class),
            writable.findVarHandle(WritableColumnVector.class, "dictionary", Dictionary.class),
            writable.findVarHandle(WritableColumnVector.class, "isAllNull", boolean.class));
      } catch (ReflectiveOperationException | RuntimeException e) {
        return null;
      }
    }
  }
}
