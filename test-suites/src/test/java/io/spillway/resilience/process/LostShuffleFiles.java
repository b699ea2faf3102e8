package io.spillway.resilience.process;

import java.io.File;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Deletes what one map task of the newest shuffle has written, as a disk does that dies.
 *
 * @param files that are gone
 */
record LostShuffleFiles(List<String> files) {
  private static final int TASKS = 8;

  static LostShuffleFiles delete(JavaSparkContext context) {
    List<Integer> tasks = IntStream.range(0, TASKS).boxed().toList();
    List<String> all =
        context.parallelize(tasks, TASKS).flatMap(task -> shuffleFiles().iterator()).collect();
    String data =
        all.stream()
            .filter(file -> file.endsWith(".data") && new File(file).length() > 0)
            .max(Comparator.comparing(LostShuffleFiles::shuffle).thenComparing(file -> file))
            .orElseThrow(() -> new IllegalStateException("no shuffle file among " + all));
    String prefix = new File(data).getName().replaceAll("data$", "");
    List<String> deleted = new ArrayList<>();
    // Executors are processes of this machine.
    for (String file : all) {
      // Each executor was asked more than once: what is gone cannot be deleted again.
      if (new File(file).getName().startsWith(prefix) && new File(file).delete()) {
        deleted.add(file);
      }
    }
    return new LostShuffleFiles(deleted);
  }

  /** As in {@code shuffle_2_7_0.data}: the shuffle is 2. */
  private static int shuffle(String file) {
    return Integer.parseInt(new File(file).getName().split("_", -1)[1]);
  }

  /** Without a shuffle of its own, which would be the newest. */
  private static List<String> shuffleFiles() {
    List<String> found = new ArrayList<>();
    for (File directory : SparkEnv.get().blockManager().diskBlockManager().localDirs()) {
      for (File bucket : list(directory)) {
        for (File file : list(bucket)) {
          if (file.getName().matches("shuffle_\\d+_\\d+_\\d+\\.(data|index)")) {
            found.add(file.toString());
          }
        }
      }
    }
    return found;
  }

  private static File[] list(File directory) {
    File[] files = directory.listFiles();
    return files == null ? new File[0] : files;
  }
}
