package io.spillway.drill;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * Where a built checkout keeps what the drill needs.
 *
 * @param home the top of the checkout
 * @param version version of the built artifacts
 */
public record ProjectLayout(Path home, String version) {
  private static final Pattern SEPARATOR = Pattern.compile(Pattern.quote(File.pathSeparator));

  /** The checkout at a folder, with the version that this class was built as. */
  public static ProjectLayout at(Path home) {
    Properties properties = new Properties();
    try (InputStream in = ProjectLayout.class.getResourceAsStream("drill.properties")) {
      if (in == null) {
        throw new DrillException("the drill's jar lacks drill.properties; build it with Maven");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new DrillException("the drill's own properties cannot be read", e);
    }
    return new ProjectLayout(home.toAbsolutePath().normalize(), properties.getProperty("version"));
  }

  /** The plugin as a job gets it. */
  public Path pluginJar() {
    return built("native-ops/target/spillway-plugin-" + version + ".jar");
  }

  /** The agent as a JVM gets it. */
  public Path agentJar() {
    return built("chaos/target/spillway-chaos-agent-" + version + ".jar");
  }

  /** The classes of this module. */
  public Path drillJar() {
    return built("test-suites/target/spillway-test-suites-" + version + ".jar");
  }

  /** Jars of Spark and what it needs, as a Spark installation has them. */
  public List<Path> sparkJars() {
    return classPath(built("test-suites/target/class-path/spark.txt"));
  }

  /** Jars that the drill needs beside Spark's. */
  public List<Path> drillJars() {
    List<Path> spark = sparkJars();
    return classPath(built("test-suites/target/class-path/drill.txt")).stream()
        .filter(jar -> !spark.contains(jar))
        .toList();
  }

  /** Holds the tables of every scale. */
  public Path dataRoot() {
    return home.resolve("test-suites/target/drill-data");
  }

  /** Reports go here, and work files below it. */
  Path reportDirectory() {
    return home.resolve("target/drill");
  }

  private Path built(String path) {
    Path file = home.resolve(path);
    if (!Files.isRegularFile(file)) {
      throw new DrillException(file + " is not there: build with mvn -B package -DskipTests");
    }
    return file;
  }

  private static List<Path> classPath(Path file) {
    try {
      return SEPARATOR
          .splitAsStream(Files.readString(file).strip())
          .map(Path::of)
          .distinct()
          .toList();
    } catch (IOException e) {
      throw new DrillException("the class path in " + file + " cannot be read", e);
    }
  }
}
