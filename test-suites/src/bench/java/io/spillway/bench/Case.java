package io.spillway.bench;

import java.util.Map;

/**
 * One benchmark method with one value for each of its parameters.
 *
 * @param name unique in its suite
 * @param method class and method, as JMH names them
 * @param parameters by name
 * @param threads that run it at the same time
 * @param effort spent in each fork
 */
record Case(
    String name, String method, Map<String, String> parameters, int threads, Effort effort) {

  /**
   * What one fork spends.
   *
   * @param warmups iterations that do not count
   * @param iterations that count
   * @param millis length of each; a single shot takes as long as it takes
   */
  record Effort(int warmups, int iterations, int millis) {}
}
