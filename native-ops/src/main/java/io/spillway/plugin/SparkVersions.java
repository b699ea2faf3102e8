package io.spillway.plugin;

import java.util.Optional;

/**
 * Which versions of Spark and Scala this jar can be in. Its plan nodes and rules are compiled
 * against Spark's inner classes, which change with every minor version.
 */
final class SparkVersions {
  private static final String SPARK = "3.5";
  private static final String SCALA = "2.12";

  private SparkVersions() {}

  /**
   * Why nothing native can run with these versions: a part of a sentence; empty if it can.
   *
   * @param spark as {@code SparkContext.version()} says it; vendors put something behind
   * @param scala the library's, in full
   */
  static Optional<String> problem(String spark, String scala) {
    if (isOf(SPARK, spark) && isOf(SCALA, scala)) {
      return Optional.empty();
    }
    return Optional.of(
        "this jar is for Spark "
            + SPARK
            + " with Scala "
            + SCALA
            + ", and this is Spark "
            + spark
            + " with Scala "
            + scala);
  }

  private static boolean isOf(String minor, String version) {
    return version.equals(minor) || version.startsWith(minor + ".");
  }
}
