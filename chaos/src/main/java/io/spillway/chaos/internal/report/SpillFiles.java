package io.spillway.chaos.internal.report;

import java.io.File;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks for temporary blocks in Spark's local directories: the spills of tasks, Spark's own and
 * Spillway's, which nobody needs once no task runs, or soon afterwards. Stateless.
 */
public final class SpillFiles {
  /** How Spark's disk block manager names the files of {@code createTempLocalBlock}. */
  private static final String TEMPORARY = "temp_local_";

  private SpillFiles() {}

  /**
   * The paths of all temporary local blocks.
   *
   * @param directories Spark's local directories; those that are gone count as empty
   */
  public static List<String> in(List<File> directories) {
    List<String> found = new ArrayList<>();
    for (File directory : directories) {
      for (File bucket : list(directory)) {
        for (File file : list(bucket)) {
          if (file.getName().startsWith(TEMPORARY)) {
            found.add(file.getPath());
          }
        }
      }
    }
    return found;
  }

  /**
   * Those of some files that nobody has deleted since. A file whose directory is gone too was left:
   * it went with Spark's local directories.
   */
  public static List<String> notDeleted(List<String> paths) {
    return paths.stream().map(File::new).filter(SpillFiles::isLeft).map(File::getPath).toList();
  }

  private static boolean isLeft(File file) {
    return file.exists() || !file.getParentFile().exists();
  }

  private static List<File> list(File directory) {
    File[] files = directory.listFiles();
    return files == null ? List.of() : List.of(files);
  }
}
