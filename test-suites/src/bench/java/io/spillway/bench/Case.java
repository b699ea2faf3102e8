package io.spillway.bench;

import java.util.List;
import java.util.Map;

/**
 * One benchmark method with one value for each of its parameters.
 *
 * @param name unique in its suite
 * @param method class and method, as JMH names them
 * @param parameters by name
 * @param threads that run it at the same time
 * @param effort spent in each fork
 * @param jvm arguments of the fork's JVM beside those of every fork; a later one wins
 */
record Case(
    String name,
    String method,
    Map<String, String> parameters,
    int threads,
    Effort effort,
    List<String> jvm) {

  /** A case in a JVM as every fork has it. */
  Case(String name, String method, Map<String, String> parameters, int threads, Effort effort) {
    this(name, method, parameters, threads, effort, List.of());
  }

  /**
   * What one fork spends.
   *
   * @param warmups iterations that do not count
   * @param iterations that count
   * @param millis length of each; a single shot takes as long as it takes
   */
  record Effort(int warmups, int iterations, int millis) {}
}
