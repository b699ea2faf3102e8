package io.spillway.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A median, and the interval that holds the true one with some confidence. The interval goes from
 * one sample to another, so that it assumes nothing of how samples are distributed.
 *
 * @param median of the samples
 * @param low end of the interval
 * @param high end of the interval
 * @param confidence between 0 and 1: 0.95 or more from six samples on
 * @param samples one a round
 */
record Figure(double median, double low, double high, double confidence, List<Double> samples) {
  private static final double WANTED_CONFIDENCE = 0.95;

  /** Of one figure of each sample. */
  static Figure of(List<Sample> samples, ToDoubleFunction<Sample> value) {
    return of(samples.stream().mapToDouble(value).boxed().toList());
  }

  /** The narrowest interval of at least 95 %, or all samples if they are too few for that. */
  static Figure of(List<Double> samples) {
    if (samples.isEmpty()) {
      throw new IllegalArgumentException("no sample");
    }
    List<Double> sorted = samples.stream().sorted().toList();
    int n = sorted.size();
    int cut = 0;
    while (2 * (cut + 1) < n && confidence(n, cut + 1) >= WANTED_CONFIDENCE) {
      cut++;
    }
    double median = (sorted.get((n - 1) / 2) + sorted.get(n / 2)) / 2;
    return new Figure(
        median, sorted.get(cut), sorted.get(n - 1 - cut), confidence(n, cut), samples);
  }

  /**
   * That a median lies between the sample with {@code cut} smaller ones and the one with as many
   * larger ones: neither too few nor too many of n fair coins show heads.
   */
  static double confidence(int n, int cut) {
    double outside = 0;
    double ways = 1;
    for (int heads = 0; heads <= cut; heads++) {
      outside += ways;
      ways = ways * (n - heads) / (heads + 1);
    }
    return Math.max(0, 1 - 2 * outside / Math.pow(2, n));
  }
}
