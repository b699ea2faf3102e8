package io.spillway.testing.internal;

import java.io.File;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.SparkEnv;

/**
 * Temporary blocks in Spark's local directories: spills. Not those of shuffle writers, whose name
 * begins otherwise: Spark itself leaves them until the application ends when a map task fails with
 * an {@code Error}, as {@code SparkOutOfMemoryError} is one, and only then.
 */
final class FileLeftovers implements Leftovers {
  @Override
  public Set<String> now() {
    Set<String> left = new TreeSet<>();
    SparkEnv env = SparkEnv.get();
    if (env == null) {
      return left;
    }
    for (File directory : env.blockManager().diskBlockManager().localDirs()) {
      for (File bucket : list(directory)) {
        for (File file : list(bucket)) {
          // As Spark names the files of createTempLocalBlock.
          if (file.getName().startsWith("temp_local_")) {
            left.add("the file " + file);
          }
        }
      }
    }
    return left;
  }

  private static File[] list(File directory) {
    File[] files = directory.listFiles();
    return files == null ? new File[0] : files;
  }
}
