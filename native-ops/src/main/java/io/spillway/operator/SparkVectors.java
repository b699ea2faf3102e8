package io.spillway.operator;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.spark.sql.execution.vectorized.Dictionary;
import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.CalendarIntervalType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;

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

  /** Native bytes of a vector, its children and its dictionary ids; 0 if it is on the heap. */
  static long nativeBytes(WritableColumnVector vector) {
    long bytes = 0;
    if (vector instanceof OffHeapColumnVector) {
      int capacity = (int) HANDLES.capacity.get(vector);
      bytes = (long) capacity * (1 + slotBytes(vector.dataType()));
    }
    WritableColumnVector ids = (WritableColumnVector) HANDLES.dictionaryIds.get(vector);
    if (ids != null) {
      bytes += nativeBytes(ids);
    }
    WritableColumnVector[] children = (WritableColumnVector[]) HANDLES.childColumns.get(vector);
    if (children != null) {
      for (WritableColumnVector child : children) {
        bytes += nativeBytes(child);
      }
    }
    return bytes;
  }

  /** What a row takes beside its null byte: as OffHeapColumnVector reserves it. */
  private static int slotBytes(DataType type) {
    if (type instanceof DecimalType decimal) {
      return decimal.precision() <= Decimal.MAX_INT_DIGITS()
          ? Integer.BYTES
          : decimal.precision() <= Decimal.MAX_LONG_DIGITS() ? Long.BYTES : 2 * Integer.BYTES;
    }
    if (type instanceof StringType
        || type instanceof BinaryType
        || type instanceof ArrayType
        || type instanceof MapType) {
      // A length and an offset.
      return 2 * Integer.BYTES;
    }
    return type instanceof StructType || type instanceof CalendarIntervalType
        ? 0
        : type.defaultSize();
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
      VarHandle isAllNull,
      VarHandle capacity,
      VarHandle dictionaryIds,
      VarHandle childColumns) {

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
            writable.findVarHandle(WritableColumnVector.class, "isAllNull", boolean.class),
            writable.findVarHandle(WritableColumnVector.class, "capacity", int.class),
            writable.findVarHandle(
                WritableColumnVector.class, "dictionaryIds", WritableColumnVector.class),
            writable.findVarHandle(
                WritableColumnVector.class, "childColumns", WritableColumnVector[].class));
      } catch (ReflectiveOperationException | RuntimeException e) {
        return null;
      }
    }
  }
}
