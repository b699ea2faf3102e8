package io.spillway.chaos.internal.report;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/**
 * One JSON object a line, handed to the operating system line by line so that a killed JVM loses
 * none. Any thread.
 */
public final class LineFile implements AutoCloseable {
  private final Path path;

  /** A plain stream: a channel would be closed by the interrupt with which Spark kills a task. */
  private final FileOutputStream out;

  /** Which file it is, beyond its name; null where the file system cannot tell. */
  private final Object identity;

  /** Whether the last line may have stopped halfway; guarded by this object's lock. */
  private boolean half;

  /**
   * Opens the file for appending.
   *
   * @throws IOException if it cannot be written
   */
  public LineFile(Path path) throws IOException {
    this.path = path;
    this.out = new FileOutputStream(path.toFile(), true);
    this.identity = identity(path);
  }

  /** The file. */
  public Path path() {
    return path;
  }

  /**
   * Appends one line.
   *
   * @throws IOException if it cannot be written, or would go to a file that nobody can find: the
   *     one of this name was deleted or replaced meanwhile
   */
  public synchronized void append(String line) throws IOException {
    if (!Objects.equals(identity, identity(path))) {
      throw new IOException("somebody has put another file in its place");
    }
    // What a full disk cut off must not swallow the next line.
    String start = half ? "\n" : "";
    half = true;
    out.write((start + line + "\n").getBytes(StandardCharsets.UTF_8));
    half = false;
  }

  private static Object identity(Path path) throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    } catch (NoSuchFileException e) {
      throw new IOException("it was deleted, or its directory was", e);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    out.close();
  }
}
