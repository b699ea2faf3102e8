package io.spillway.testing.internal;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.spillway.drill.ResultFile;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;

/**
 * One test under all its faults.
 *
 * @param seed decides on the sample
 * @param found faults that there are; more than invocations where a sample was drawn
 * @param rows of all results
 * @param digest of the results' exact columns, whatever the order of the rows
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record SweepReport(
    String method,
    long seed,
    int found,
    int rows,
    String digest,
    List<PointReport> points,
    List<InvocationReport> invocations) {
  private static final int DIGEST_CHARACTERS = 16;

  static SweepReport of(
      String method,
      long seed,
      int found,
      List<RecordedResult> results,
      List<Call> calls,
      List<InvocationReport> invocations) {
    return new SweepReport(
        method,
        seed,
        found,
        results.stream().mapToInt(result -> result.rows().rows().size()).sum(),
        digest(results.stream().map(RecordedResult::rows).toList()),
        PointReport.of(calls, invocations),
        List.copyOf(invocations));
  }

  /** Whether not every fault there is was injected. */
  boolean isSampled() {
    return invocations.size() < found;
  }

  private static String digest(List<ResultFile> results) {
    List<String> lines = new ArrayList<>();
    for (ResultFile result : results) {
      for (List<String> row : result.rows()) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
          // Floating-point values may differ in their last digits.
          line.append(result.columns().get(i).isFloating() ? "" : row.get(i)).append('\u0000');
        }
        lines.add(line.toString());
      }
    }
    Collections.sort(lines);
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, DIGEST_CHARACTERS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
