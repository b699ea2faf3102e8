package io.spillway.testing.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Open files of this process, as Linux lists them; elsewhere none. Left out is what a JVM opens by
 * itself: jars, libraries, devices; what the agent writes; and shuffle files, which Spark leaves to
 * the garbage collector when a task fails while it writes or reads them.
 */
final class DescriptorLeftovers implements Leftovers {
  private static final Path OWN = Path.of("/proc/self/fd");
  private static final Pattern NOT_OF_TASKS =
      Pattern.compile(
          "/(dev|proc|sys)/.*|.*\\.(jar|so|jmod|log)(\\.[0-9.]+)?( \\(deleted\\))?"
              + "|.*/lib/modules|.*/hsperfdata_.*|.*/(temp_)?shuffle_[^/]*"
              + "|.*/(fired|dry|attempts|memory)-[0-9]+\\.jsonl");

  @Override
  public Set<String> now() {
    Map<String, Integer> open = new HashMap<>();
    if (Files.isDirectory(OWN)) {
      try (Stream<Path> descriptors = Files.list(OWN)) {
        descriptors.forEach(
            descriptor -> {
              String target = target(descriptor);
              if (target.startsWith("/") && !NOT_OF_TASKS.matcher(target).matches()) {
                open.merge(target, 1, Integer::sum);
              }
            });
      } catch (IOException e) {
        throw new IllegalStateException("the open files cannot be listed in " + OWN, e);
      }
    }
    Set<String> left = new TreeSet<>();
    open.forEach((target, times) -> left.add("open %d times: %s".formatted(times, target)));
    return left;
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      // Closed since it was listed: the list itself is one of them.
      return "";
    }
  }
}
