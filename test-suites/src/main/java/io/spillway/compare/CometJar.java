package io.spillway.compare;

import io.spillway.drill.DrillException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Comet's jar, native library included: fetched with Maven the first time that it is needed. */
public final class CometJar {
  private static final long FETCH_MINUTES = 15;

  private CometJar() {}

  /**
   * The jar.
   *
   * @param directory where it is kept
   * @throws DrillException if it is not there and cannot be fetched
   */
  public static Path in(Path directory) throws IOException, InterruptedException {
    Path jar = directory.resolve(Engine.COMET_ARTIFACT + "-" + Engine.COMET_VERSION + ".jar");
    if (Files.isRegularFile(jar)) {
      return jar;
    }
    Files.createDirectories(directory);
    Path log = directory.resolve("maven.log");
    Process maven =
        new ProcessBuilder(
                List.of(
                    "mvn",
                    "-q",
                    "-B",
                    "dependency:copy",
                    "-Dartifact=org.apache.datafusion:%s:%s"
                        .formatted(Engine.COMET_ARTIFACT, Engine.COMET_VERSION),
                    "-DoutputDirectory=" + directory.toAbsolutePath()))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      if (!maven.waitFor(FETCH_MINUTES, TimeUnit.MINUTES)
          || maven.exitValue() != 0
          || !Files.isRegularFile(jar)) {
        throw new DrillException("Comet's jar could not be fetched with Maven, see " + log);
      }
    } finally {
      maven.destroy();
    }
    return jar;
  }
}
