package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A JVM of its own that the packaged agent is given to; what it needs is collected and run. */
final class ForkedJvm {
  static final Path AGENT = Path.of(System.getProperty("agent.jar", "agent.jar"));

  private final Path dir;
  private final List<String> options = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();
  private Path javaHome = Path.of(System.getProperty("java.home"));
  private String classPath = classPathWithoutTheModule();

  /**
   * @param dir its working directory, in which its output is kept
   */
  ForkedJvm(Path dir) {
    this.dir = dir;
    options.addAll(List.of(System.getProperty("spark.module.options").split(" ")));
    options.addAll(List.of("-Xmx512m", "-Dspark.ui.enabled=false"));
  }

  ForkedJvm option(String option) {
    options.add(option);
    return this;
  }

  /** Gives it the agent. */
  ForkedJvm agent(String argument) {
    return option("-javaagent:" + AGENT + "=" + argument);
  }

  ForkedJvm variable(String name, String value) {
    environment.put(name, value);
    return this;
  }

  ForkedJvm java(Path home) {
    javaHome = home;
    return this;
  }

  /** Gives it a Spark installation, of links to the jars of the class path and to others. */
  ForkedJvm sparkHome(Path... others) throws IOException {
    Path home = dir.resolve("spark");
    Path jars = Files.createDirectories(home.resolve("jars"));
    // Spark looks for this file to tell an installation from a source tree.
    Files.createFile(home.resolve("RELEASE"));
    List<Path> all = new ArrayList<>(List.of(others));
    for (String jar : sparkClassPath().split(File.pathSeparator, -1)) {
      all.add(Path.of(jar));
    }
    for (Path jar : all) {
      Files.createSymbolicLink(jars.resolve(jar.getFileName()), jar.toAbsolutePath());
    }
    return variable("SPARK_HOME", home.toString()).variable("SPARK_SCALA_VERSION", "2.12");
  }

  ForkedJvm classPath(String path) {
    classPath = path;
    return this;
  }

  /** Runs a program to its end. */
  Outcome run(String main, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(javaHome.resolve("bin/java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, main));
    command.addAll(List.of(arguments));
    Path out = dir.resolve("stdout");
    Path err = dir.resolve("stderr");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(dir.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(10, TimeUnit.MINUTES)).as("the forked JVM ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Outcome(
        process.exitValue(), process.pid(), Files.readAllLines(out), Files.readString(err).strip());
  }

  static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** The tests' class path without the module and its libraries: what a Spark job has. */
  static String classPathWithoutTheModule() {
    String kept =
        classPath(
            entry ->
                !entry.endsWith("/chaos/target/classes")
                    && !entry.matches(".*/(spillway-chaos|byte-buddy|snakeyaml)[^/]*\\.jar"));
    assertThat(kept).contains("spark-core").contains("test-classes");
    return kept;
  }

  /** The jars of Spark and what it needs: nothing of this module, its tests included. */
  static String sparkClassPath() {
    return Arrays.stream(classPathWithoutTheModule().split(File.pathSeparator, -1))
        .filter(entry -> entry.endsWith(".jar"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  static String classPath(Predicate<String> wanted) {
    return Arrays.stream(classPath().split(File.pathSeparator, -1))
        .filter(wanted)
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Packs test classes into a jar, and the contents of other jars with them. */
  static Path jar(Path jar, List<String> folders, Path... others) throws IOException {
    Path classes =
        Path.of(
            Arrays.stream(classPath().split(File.pathSeparator, -1))
                .filter(entry -> entry.endsWith("test-classes"))
                .findFirst()
                .orElseThrow());
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      for (String folder : folders) {
        try (Stream<Path> files = Files.walk(classes.resolve(folder))) {
          for (Path from : files.filter(Files::isRegularFile).toList()) {
            out.putNextEntry(new JarEntry(classes.relativize(from).toString()));
            Files.copy(from, out);
          }
        }
      }
      for (Path other : others) {
        copy(other, out);
      }
    }
    return jar;
  }

  private static void copy(Path jar, JarOutputStream out) throws IOException {
    try (JarFile from = new JarFile(jar.toFile())) {
      for (JarEntry entry : from.stream().filter(e -> e.getName().endsWith(".class")).toList()) {
        out.putNextEntry(new JarEntry(entry.getName()));
        try (InputStream in = from.getInputStream(entry)) {
          in.transferTo(out);
        }
      }
    }
  }

  /** How it ended and what it said. */
  record Outcome(int exitCode, long pid, List<String> out, String text) {}
}
