package io.spillway.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The sample project, built by a Maven of its own from the artifacts that this build has made. They
 * lie in a local repository of links: what is not Spillway's is the build's own.
 */
class SampleProjectIT {
  private static final Path HOME = Path.of(System.getProperty("spillway.home"));
  private static final Path MAVEN = Path.of(System.getProperty("maven.home"));
  private static final Path REPOSITORY = Path.of(System.getProperty("maven.repository"));
  private static final String VERSION = System.getProperty("spillway.version");

  @TempDir Path dir;

  @Test
  void shouldBuildAndPassWithTheArtifactsOfThisBuild() throws Exception {
    Path project = dir.resolve("project");
    copy(HOME.resolve("test-suites/examples/resilience"), project);
    Path repository = repository();
    Path log = dir.resolve("log");
    ProcessBuilder builder =
        new ProcessBuilder(
                MAVEN.resolve("bin/mvn").toString(),
                "-B",
                "-o",
                "-Dmaven.repo.local=" + repository,
                "-Dspillway.version=" + VERSION,
                "-Dstyle.color=never",
                "test")
            .directory(project.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().remove("MAVEN_OPTS");
    Process process = builder.start();
    try {
      assertThat(process.waitFor(15, TimeUnit.MINUTES)).as("the sample's build ends").isTrue();
    } finally {
      process.destroyForcibly();
      // Nothing that tidies up after the test may come to what they lead to.
      unlink(repository);
      unlink(repository.resolve("io"));
    }
    String said = Files.readString(log);
    assertThat(process.exitValue()).as(said).isZero();
    // Eight faults, the run before and the verdict; two seeds, those two, and a plain test.
    assertThat(said)
        .contains("Tests run: 10,", "Tests run: 5,")
        .contains("Tests run: 15, Failures: 0, Errors: 0, Skipped: 0");
    assertThat(Files.readString(project.resolve("target/spillway-testing/index.html")))
        .contains("example.TotalsResilienceTest", "example.TotalsUnderChaosTest");
  }

  private Path repository() throws IOException {
    Path own = Files.createDirectories(dir.resolve("repository/io/spillway"));
    Path repository = dir.resolve("repository");
    link(REPOSITORY, repository, "io");
    link(REPOSITORY.resolve("io"), repository.resolve("io"), "spillway");
    put(own, "parent", HOME.resolve("pom.xml"));
    for (String module : List.of("memory-manager", "native-ops", "chaos", "test-suites")) {
      Path folder = put(own, module, HOME.resolve(module).resolve("pom.xml"));
      String jar = "spillway-" + module + "-" + VERSION + ".jar";
      Files.createSymbolicLink(
          folder.resolve(jar), HOME.resolve(module).resolve("target").resolve(jar));
    }
    return repository;
  }

  private static Path put(Path own, String module, Path pom) throws IOException {
    String name = "spillway-" + module;
    Path folder = Files.createDirectories(own.resolve(name).resolve(VERSION));
    Files.copy(pom, folder.resolve(name + "-" + VERSION + ".pom"));
    return folder;
  }

  /** Links to everything in a folder but one. */
  private static void link(Path from, Path to, String except) throws IOException {
    try (Stream<Path> entries = Files.list(from)) {
      for (Path entry : entries.toList()) {
        if (!entry.getFileName().toString().equals(except)) {
          Files.createSymbolicLink(to.resolve(entry.getFileName()), entry);
        }
      }
    }
  }

  private static void unlink(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      for (Path entry : entries.filter(Files::isSymbolicLink).toList()) {
        Files.delete(entry);
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path relative = from.relativize(file);
        if (!relative.startsWith("target")) {
          Files.copy(file, to.resolve(relative), StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }
}
