package io.spillway.operator;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.spark.sql.execution.datasources.parquet.ParquetDictionary;
import org.apache.spark.sql.execution.vectorized.Dictionary;

/**
 * Tells whether two dictionaries have the same entries. Spark's Parquet reader wraps a column
 * chunk's dictionary anew for each batch ({@code VectorizedColumnReader.readBatch}), so that the
 * wrappers say nothing. Stateless.
 */
final class ParquetDictionaries {
  private static final Handles HANDLES = Handles.find();

  private ParquetDictionaries() {}

  /** False may also mean that it is not known. */
  static boolean same(Dictionary one, Dictionary other) {
    if (one == other) {
      return true;
    }
    return HANDLES != null
        && one instanceof ParquetDictionary first
        && other instanceof ParquetDictionary second
        && HANDLES.wrapped.get(first) == HANDLES.wrapped.get(second)
        && (boolean) HANDLES.transforms.get(first) == (boolean) HANDLES.transforms.get(second);
  }

  private record Handles(VarHandle wrapped, VarHandle transforms) {
    /** Null on a Spark whose wrapper looks different. */
    static Handles find() {
      try {
        Class<?> type = ParquetDictionary.class;
        MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
        return new Handles(
            lookup.unreflectVarHandle(type.getDeclaredField("dictionary")),
            lookup.findVarHandle(type, "needTransform", boolean.class));
      } catch (ReflectiveOperationException | RuntimeException e) {
        return null;
      }
    }
  }
}
