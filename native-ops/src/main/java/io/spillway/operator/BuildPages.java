package io.spillway.operator;

/** The build rows of a spilled partition. Used by the task's thread alone. */
final class BuildPages implements BuildRows {
  private final StoredRows stored;

  /**
   * @param stored reads all columns of a build row
   */
  BuildPages(StoredRows stored) {
    this.stored = stored;
  }

  @Override
  public boolean next() {
    return stored.next();
  }

  @Override
  public int rows() {
    return stored.rows();
  }

  @Override
  public long columns() {
    return stored.gather().columns();
  }
}
