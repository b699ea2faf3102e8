package io.spillway.bench;

import java.io.PrintWriter;
import java.nio.file.Path;
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

  /** How many forks of each case are enough for its targets. */
  default int rounds() {
    return 9;
  }

  /**
   * What runs its cases.
   *
   * @param directory for what forks write
   * @param quick for a smoke run
   * @param out told each figure as it comes
   */
  default Forks forks(Path directory, boolean quick, PrintWriter out) {
    return new Rounds(directory.resolve("tmp"), out);
  }
}
