package io.spillway.resilience;

import java.nio.file.Path;

/** Where the tests with real processes, the soak and the mutations write what they found. */
final class ProofFolder {
  private ProofFolder() {}

  static Path path() {
    return Path.of("target", "spillway-proof");
  }
}
