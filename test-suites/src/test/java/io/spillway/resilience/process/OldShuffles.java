package io.spillway.resilience.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.awaitility.Awaitility;

/**
 * Shuffle files of queries that are over: Spark deletes them when the driver has forgotten them.
 */
final class OldShuffles {
  private OldShuffles() {}

  /** Makes the driver forget, and waits until the local directories have no shuffle file. */
  static void awaitGone(SparkContext context) {
    Path local = Path.of(context.conf().get("spark.local.dir"));
    Awaitility.await("shuffle files of queries that are over are gone")
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(500))
        .atMost(Duration.ofMinutes(2))
        .until(
            () -> {
              System.gc();
              return count(local) == 0;
            });
  }

  /** Files of shuffles that were never finished, with their sizes. */
  static List<String> unfinished(SparkContext context) throws IOException {
    Path local = Path.of(context.conf().get("spark.local.dir"));
    try (Stream<Path> files = Files.walk(local)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("temp_"))
          .map(file -> file.getFileName() + " of " + file.toFile().length() + " bytes")
          .toList();
    }
  }

  private static long count(Path local) throws IOException {
    try (Stream<Path> files = Files.walk(local)) {
      return files.filter(file -> file.getFileName().toString().startsWith("shuffle_")).count();
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof NoSuchFileException) {
        // Deleted while we looked on: worth another look.
        return Long.MAX_VALUE;
      }
      throw e;
    }
  }
}
