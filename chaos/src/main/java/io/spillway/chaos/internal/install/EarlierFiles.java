package io.spillway.chaos.internal.install;

import io.spillway.chaos.internal.dispatch.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Records that an agent of the same process id has left in the directory: this JVM's own before it
 * was detached, or those of a container before it was started again. Mixed with the new ones they
 * would tell of a run that never was.
 */
final class EarlierFiles {
  private static final List<String> KINDS =
      List.of(
          "points-%d.json",
          "fired-%d.jsonl", "dry-%d.jsonl", "attempts-%d.jsonl", "jvm-%d.json", "memory-%d.jsonl");

  private EarlierFiles() {}

  /**
   * Moves them to a directory beside, from which a report can still be made.
   *
   * @throws IOException if they cannot be moved
   */
  static void setAside(Path out, long pid) throws IOException {
    List<Path> earlier = new ArrayList<>();
    for (String kind : KINDS) {
      Path file = out.resolve(kind.formatted(pid));
      // A link is somebody's arrangement and no record.
      if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        earlier.add(file);
      }
    }
    if (earlier.isEmpty()) {
      return;
    }
    Path aside = unused(out, pid);
    Files.createDirectory(aside);
    for (Path file : earlier) {
      Files.move(file, aside.resolve(file.getFileName()));
    }
    Console.say("records of an earlier plan in process " + pid + " are now in " + aside);
  }

  private static Path unused(Path out, long pid) {
    return Stream.iterate(1, number -> number + 1)
        .map(number -> out.resolve("earlier-%d-%d".formatted(pid, number)))
        .filter(Files::notExists)
        .findFirst()
        .orElseThrow();
  }
}
