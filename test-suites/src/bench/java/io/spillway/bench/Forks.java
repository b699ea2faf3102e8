package io.spillway.bench;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Runs the cases of a suite in JVMs of their own. */
interface Forks {
  /**
   * Runs all cases.
   *
   * @param rounds how often each
   * @return for each case's name its samples, one a round
   * @throws BenchException if a fork fails
   */
  Map<String, List<Sample>> run(List<Case> cases, int rounds) throws IOException;
}
