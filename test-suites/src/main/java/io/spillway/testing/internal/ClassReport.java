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
}
