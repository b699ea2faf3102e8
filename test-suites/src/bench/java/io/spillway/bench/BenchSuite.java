package io.spillway.bench;

import java.util.List;

/** Benchmarks that are run and reported together. */
interface BenchSuite {
  /** As it is called on the command line, and its report's file name. */
  String name();

  /**
   * What it measures.
   *
   * @param quick for a smoke run
   */
  List<Subject> subjects(boolean quick);
}
