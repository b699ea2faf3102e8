package io.spillway.drill;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A Spark installation made of links to the jars of a class path: what Spark's own scripts need to
 * start a local cluster's executors. Worker folders appear below it.
 */
public record SparkHome(Path directory, List<Path> jars) {

  /** Makes the installation in a folder that must not exist yet. */
  public static SparkHome create(Path directory, List<Path> jars) throws IOException {
    Path links = Files.createDirectories(directory.resolve("jars"));
    for (Path jar : jars) {
      Files.createSymbolicLink(links.resolve(jar.getFileName()), jar.toAbsolutePath());
    }
    // Spark looks for this file to tell an installation from a source tree.
    Files.createFile(directory.resolve("RELEASE"));
    Path conf = Files.createDirectories(directory.resolve("conf"));
    try (InputStream log = SparkHome.class.getResourceAsStream("log4j2.properties")) {
      if (log == null) {
        throw new IOException("the drill's jar lacks log4j2.properties");
      }
      Files.copy(log, conf.resolve("log4j2.properties"));
    }
    return new SparkHome(directory, jars);
  }

  /** Variables for a driver that starts executors from this installation. */
  public Map<String, String> environment() {
    return Map.of(
        "SPARK_HOME",
        directory.toString(),
        "SPARK_CONF_DIR",
        directory.resolve("conf").toString(),
        "SPARK_SCALA_VERSION",
        "2.12");
  }

  /** The class path of a driver: settings, other jars, then Spark's. */
  public String classPath(List<Path> others) {
    return directory.resolve("conf")
        + File.pathSeparator
        + others.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator))
        + File.pathSeparator
        + directory.resolve("jars")
        + File.separator
        + "*";
  }
}
