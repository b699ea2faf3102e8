package io.spillway.bench;

import java.util.Map;

/**
 * What one fork of one case measured.
 *
 * @param score median of its iterations, in the benchmark's unit
 * @param others by name: {@link CpuTime#LABEL} in the benchmark's unit, events in sum
 */
record Sample(double score, Map<String, Double> others) {
  /** Processor time, user's and system's, of all threads. */
  double cpu() {
    return other(CpuTime.LABEL);
  }

  double other(String name) {
    Double value = others.get(name);
    if (value == null) {
      throw new IllegalStateException("no figure " + name + " among " + others.keySet());
    }
    return value;
  }
}
