package io.spillway.resilience;

import java.util.List;
import java.util.Locale;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * Whether figures that were taken one after the other grow: the line of least squares through them,
 * and how far they scatter around it.
 *
 * @param samples how many
 * @param slopeBytes of the line, for each sample
 * @param slopeErrorBytes its standard error
 * @param riseBytes of the line from the first sample to the last
 * @param noiseBytes two standard deviations of the samples around the line, or the floor if that is
 *     more
 */
record Growth(
    int samples, double slopeBytes, double slopeErrorBytes, double riseBytes, double noiseBytes) {
  /** What allocators may still keep for themselves in a process that is warm. */
  static final double FLOOR_BYTES = 8 << 20;

  /**
   * Fits the line.
   *
   * @param bytes at least three
   */
  static Growth of(List<Long> bytes) {
    SimpleRegression line = new SimpleRegression();
    for (int i = 0; i < bytes.size(); i++) {
      line.addData(i, bytes.get(i));
    }
    double scatter = 2 * Math.sqrt(line.getMeanSquareError());
    return new Growth(
        bytes.size(),
        line.getSlope(),
        line.getSlopeStdErr(),
        line.getSlope() * (bytes.size() - 1),
        Math.max(FLOOR_BYTES, scatter));
  }

  /** Whether they grow by more than noise explains. */
  boolean grows() {
    return riseBytes > noiseBytes;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "over %d samples the line of least squares has a slope of %.1f KiB (standard error %.1f KiB),"
            + " so it rises by %.1f MiB; noise is %.1f MiB: two standard deviations around the line,"
            + " %.0f MiB at the least",
        samples,
        slopeBytes / 1024,
        slopeErrorBytes / 1024,
        riseBytes / (1 << 20),
        noiseBytes / (1 << 20),
        FLOOR_BYTES / (1 << 20));
  }
}
