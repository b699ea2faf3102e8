package io.spillway.drill;

import java.nio.file.Path;

/** Where one pass keeps its files below the drill's work folder. */
record PassFiles(Path directory) {

  static PassFiles of(Path work, Pass pass) {
    return new PassFiles(work.resolve(pass.number() + "-" + pass.id()));
  }

  Path log() {
    return directory.resolve("driver.log");
  }

  Path spec() {
    return directory.resolve("spec.json");
  }

  Path outcome() {
    return directory.resolve("outcome.json");
  }

  Path results() {
    return directory.resolve("results");
  }

  Path result(DrillQuery query) {
    return results().resolve(query.name() + ".jsonl");
  }

  Path sparkHome() {
    return directory.resolve("spark");
  }

  Path sparkLocal() {
    return directory.resolve("local");
  }

  /** Where the agents of this pass write. */
  Path chaos() {
    return directory.resolve("chaos");
  }
}
