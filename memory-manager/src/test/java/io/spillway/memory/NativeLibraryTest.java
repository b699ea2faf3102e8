package io.spillway.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NativeLibraryTest {
  @BeforeEach
  void needTheLibrary() {
    assumeTrue(System.getProperty("native.skip") == null, "built without the C library");
  }

  @Test
  void shouldLoadThePageSourceAndLeaveNothingBehind() throws IOException {
    NativeLibrary.load("spillway_memory", NativePages.class);

    assertThat(NativePages.available()).isTrue();
    assertThat(NativePages.pageSize()).isGreaterThanOrEqualTo(4096);
    try (Stream<Path> left = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      assertThat(left.filter(path -> path.getFileName().toString().startsWith("spillway-")))
          .isEqualTo(List.of());
    }
  }

  @Test
  void shouldSayWhatIsMissingWhenThereIsNoSuchLibrary() {
    assertThatThrownBy(() -> NativeLibrary.load("spillway_none", NativePages.class))
        .isInstanceOf(NativeUnavailableException.class)
        .hasMessageContaining(NativeLibrary.platform())
        .hasMessageContaining("libspillway_none.so");
  }

  @Test
  void shouldRefuseAnOwnerOfAnotherClassLoader() {
    assertThatThrownBy(() -> NativeLibrary.load("spillway_memory", String.class))
        .isInstanceOf(NativeUnavailableException.class)
        .hasMessageContaining("java.lang.String");
  }

  @Test
  void shouldAnswerWithAnErrnoWhenArgumentsAreWrong() {
    assertThat(NativePages.map(0)).isNegative();
    assertThat(NativePages.map(100)).isNegative();
    assertThat(NativePages.map(Long.MAX_VALUE / 4096 * 4096)).isNegative();
    assertThat(NativePages.unmap(1, 4096)).isNegative();
    long address = NativePages.map(8192);
    assertThat(address).isPositive();
    assertThat(NativePages.unmap(address, 8192)).isZero();
  }
}
