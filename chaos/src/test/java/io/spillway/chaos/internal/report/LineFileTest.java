package io.spillway.chaos.internal.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineFileTest {
  @TempDir Path dir;

  @Test
  void shouldRefuseALineWhenItsFileWasDeleted() throws IOException {
    Path path = dir.resolve("fired.jsonl");
    try (LineFile file = new LineFile(path)) {
      file.append("{}");
      Files.delete(path);
      assertThatThrownBy(() -> file.append("{}"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("deleted");
      assertThat(path).doesNotExist();
    }
  }

  @Test
  void shouldRefuseALineWhenAnotherFileIsInItsPlace() throws IOException {
    Path path = dir.resolve("fired.jsonl");
    try (LineFile file = new LineFile(path)) {
      file.append("{}");
      Files.move(path, dir.resolve("moved"));
      Files.writeString(path, "");
      assertThatThrownBy(() -> file.append("{}"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another file");
      assertThat(path).isEmptyFile();
    }
  }
}
