package com.nvidia.spark.rapids.jni;

/** Stands in for the class of that name: the agent knows it by name alone. */
public final class GpuRetryOOM extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** As the real one. */
  public GpuRetryOOM(String message) {
    super(message);
  }
}
