package io.spillway.memory;

/** Stands in for the class of that name: the agent knows its seams by name and signature alone. */
public final class OperatorMemory implements BlockHolder {
  private final String name;
  private int batches;

  /** Takes the operator's name. */
  public OperatorMemory(String name) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  /** Counts the batch. */
  public void batchBoundary() {
    batches++;
  }

  /** Batches that really started. */
  public int batches() {
    return batches;
  }
}
