package io.spillway.chaos.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpillFilesTest {
  @TempDir private Path local;

  private Path spill(String bucket) throws IOException {
    Path directory = Files.createDirectories(local.resolve(bucket));
    return Files.createFile(directory.resolve("temp_local_" + bucket));
  }

  @Test
  void shouldTellWhatWasDeletedSinceFromWhatWentWithItsDirectory() throws IOException {
    Path stays = spill("01");
    Path deleted = spill("02");
    Path withDirectory = spill("03");
    Files.createFile(stays.resolveSibling("shuffle_1_2_3.data"));
    List<String> found = SpillFiles.in(List.of(local.toFile()));
    assertThat(found)
        .containsExactlyInAnyOrder(stays.toString(), deleted.toString(), withDirectory.toString());
    assertThat(SpillFiles.notDeleted(found)).isEqualTo(found);

    Files.delete(deleted);
    Files.delete(withDirectory);
    Files.delete(withDirectory.getParent());

    assertThat(SpillFiles.notDeleted(found))
        .containsExactlyInAnyOrder(stays.toString(), withDirectory.toString());
  }
}
