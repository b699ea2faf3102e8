package io.spillway.chaos.internal.report;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * One JSON object a line, handed to the operating system line by line so that a killed JVM loses
 * none. Any thread.
 */
public final class LineFile implements AutoCloseable {
  private final Path path;

  /** A plain stream: a channel would be closed by the interrupt with which Spark kills a task. */
  private final FileOutputStream out;

  /**
   * Opens the file for appending.
   *
   * @throws IOException if it cannot be written
   */
  public LineFile(Path path) throws IOException {
    this.path = path;
    this.out = new FileOutputStream(path.toFile(), true);
  }

  /** The file. */
  public Path path() {
    return path;
  }

  /**
   * Appends one line.
   *
   * @throws IOException if it cannot be written
   */
  public synchronized void append(String line) throws IOException {
    out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public synchronized void close() throws IOException {
    out.close();
  }
}
