package io.spillway.operator;

import java.util.List;
import org.apache.spark.sql.types.DataType;

/** The probe rows of a spilled partition. Used by the task's thread alone. */
final class ProbePages implements ProbeRows, NativeColumns {
  private final StoredRows stored;
  private final NativeVector[] vectors;

  /**
   * @param stored reads all columns of a {@link ProbeSpill}
   * @param types of the probe child's columns
   */
  ProbePages(StoredRows stored, List<DataType> types) {
    this.stored = stored;
    this.vectors = types.stream().map(NativeVector::new).toArray(NativeVector[]::new);
  }

  @Override
  public boolean next() {
    if (!stored.next()) {
      return false;
    }
    for (int i = 0; i < vectors.length; i++) {
      stored.gather().view(ProbeSpill.FIRST_COLUMN + i, stored.rows(), vectors[i]);
    }
    return true;
  }

  @Override
  public NativeColumns columns() {
    return this;
  }

  @Override
  public long states() {
    return stored.gather().values(ProbeSpill.STATE_COLUMN);
  }

  @Override
  public int rows() {
    return stored.rows();
  }

  @Override
  public NativeVector column(int ordinal) {
    return vectors[ordinal];
  }

  @Override
  public boolean halve() {
    return stored.halve();
  }
}
