package io.spillway.chaos.internal.report;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.Supplier;

/** The counts, as a file that is replaced whole: a reader sees the old or the new. Any thread. */
public final class PointsFile {
  private final Path path;
  private final Path next;
  private String written = "";

  /**
   * @param path the file; beside it a {@code .tmp} is written and moved over it
   */
  public PointsFile(Path path) {
    this.path = path;
    this.next = path.resolveSibling(path.getFileName() + ".tmp");
  }

  /** The file. */
  public Path path() {
    return path;
  }

  /**
   * Replaces the file, unless it has that text already.
   *
   * @param counts asked under this file's lock, so that older counts never follow newer ones; must
   *     take no other lock
   * @throws IOException if it cannot be written
   */
  public synchronized void write(Supplier<String> counts) throws IOException {
    String text = counts.get();
    if (text.equals(written)) {
      return;
    }
    // A plain stream: a channel would be closed by the interrupt with which Spark kills a task.
    try (FileOutputStream out = new FileOutputStream(next.toFile())) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    written = text;
  }
}
