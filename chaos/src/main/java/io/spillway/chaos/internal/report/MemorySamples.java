package io.spillway.chaos.internal.report;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory samples in a file of bounded length, one JSON object a line. When it is full every second
 * sample goes and from then on half as many are kept, so that a run of any length is covered from
 * its start. Used by one thread.
 */
public final class MemorySamples implements AutoCloseable {
  private final Path path;
  private final int most;
  private final List<String> kept = new ArrayList<>();
  private LineFile file;
  private long stride = 1;
  private long offered;

  /**
   * Makes the file.
   *
   * @param most samples that it may hold
   * @throws IOException if it cannot be written
   */
  public MemorySamples(Path path, int most) throws IOException {
    this.path = path;
    this.most = most;
    Files.deleteIfExists(path);
    this.file = new LineFile(path);
  }

  /**
   * Takes a sample, or passes over it.
   *
   * @throws IOException if it cannot be written
   */
  public void add(JsonObject sample) throws IOException {
    if (offered++ % stride != 0) {
      return;
    }
    keep(sample);
  }

  /**
   * Takes a sample that must not be passed over: the last.
   *
   * @throws IOException if it cannot be written
   */
  public void keep(JsonObject sample) throws IOException {
    if (kept.size() >= most) {
      thin();
    }
    kept.add(sample.toString());
    file.append(sample.toString());
  }

  private void thin() throws IOException {
    List<String> half = new ArrayList<>();
    for (int i = 0; i < kept.size(); i += 2) {
      half.add(kept.get(i));
    }
    kept.clear();
    kept.addAll(half);
    stride *= 2;
    file.close();
    Path next = path.resolveSibling(path.getFileName() + ".tmp");
    try (FileOutputStream out = new FileOutputStream(next.toFile())) {
      out.write((String.join("\n", half) + "\n").getBytes(StandardCharsets.UTF_8));
    }
    Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    file = new LineFile(path);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
