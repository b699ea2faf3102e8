package io.spillway.testing.internal;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;

/**
 * The tests of one class.
 *
 * @param formatVersion raised when a field changes its meaning
 * @param time when it was written, ISO 8601
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ClassReport(
    int formatVersion, String testClass, String time, List<SweepReport> sweeps) {
  /** The present meaning of the fields. */
  static final int FORMAT_VERSION = 1;

  /** Whether a file was one, of this format: JSON of other kinds has none of the fields. */
  boolean isWhole() {
    return formatVersion == FORMAT_VERSION
        && testClass != null
        && time != null
        && sweeps != null
        && sweeps.stream().allMatch(ClassReport::isWhole);
  }

  private static boolean isWhole(SweepReport sweep) {
    return sweep != null
        && sweep.method() != null
        && sweep.digest() != null
        && sweep.points() != null
        && sweep.points().stream()
            .allMatch(one -> one != null && one.point() != null && one.operator() != null)
        && sweep.invocations() != null
        && sweep.invocations().stream()
            .allMatch(
                one ->
                    one != null
                        && one.name() != null
                        && one.outcome() != null
                        && one.problems() != null);
  }
}
