package io.spillway.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.launcher.JavaModuleOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Executors in processes of their own: their last reports arrive before the driver has stopped. */
class LocalClusterTest {
  @TempDir Path folder;

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void shouldHaveEveryLastReportButThatOfTheExecutorThatDied() throws Exception {
    List<String> lines = run(folder);

    assertThat(lines).filteredOn("ROWS 1000"::equals).hasSize(2);
    assertThat(lines).doesNotContain("NATIVE 0");
    assertThat(lines).filteredOn("EXCHANGE true"::equals).hasSize(2);
    String halted = only(lines, "HALTED ").get(0);
    List<String> reports = only(lines, "REPORT ");
    assertThat(reports).as("reports in %s", lines).hasSizeGreaterThanOrEqualTo(2);
    assertThat(reports)
        .allSatisfy(
            report ->
                assertThat(report)
                    .contains("last=" + !report.startsWith(halted + " "))
                    .satisfies(
                        text -> {
                          if (text.contains("last=true")) {
                            assertThat(text).contains("used=0");
                          }
                        }));
    assertThat(reports).anyMatch(report -> report.contains("last=true"));
    // The dead executor is known to be lost, so nobody waited the ten seconds for it.
    assertThat(Long.parseLong(only(lines, "STOPPED ").get(0))).isLessThan(9_000);
  }

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void shouldStayOnTheJvmAndNotWaitWhenNoExecutorCanLoadTheKernels() throws Exception {
    // Below a file there is no folder, and Spark cannot make one.
    Path file = Files.createFile(folder.resolve("file"));
    List<String> lines = run(file.resolve("nowhere"));

    assertThat(lines).contains("ROWS 1000", "NATIVE 0", "EXCHANGE false");
    assertThat(only(lines, "EXPLAIN "))
        .singleElement()
        .satisfies(
            text ->
                assertThat(text)
                    .contains("cannot run native operators: ", "java.io.tmpdir=")
                    .doesNotContain("native  "));
    assertThat(lines)
        .as("the executors' reason in the driver's log")
        .anyMatch(line -> line.contains("ERROR") && line.contains("cannot run native operators"));
    assertThat(Long.parseLong(only(lines, "STOPPED ").get(0))).isLessThan(9_000);
  }

  private static List<String> only(List<String> lines, String prefix) {
    return lines.stream()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length()))
        .toList();
  }

  private List<String> run(Path temporary) throws IOException, InterruptedException {
    List<String> classPath =
        List.of(System.getProperty("java.class.path").split(File.pathSeparator));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(JavaModuleOptions.defaultModuleOptions().trim().split("\\s+")));
    command.add("-Xmx512m");
    command.add("-Djava.io.tmpdir=" + folder);
    command.add("-cp");
    command.add(String.join(File.pathSeparator, classPath));
    command.add(LocalClusterProbe.class.getName());
    command.add(String.join(File.pathSeparator, classPath));
    command.add(folder.toString());
    command.add(temporary.toString());
    Path output = folder.resolve("output.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("SPARK_HOME", sparkHome(classPath).toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.12");
    Process process = builder.start();
    try {
      assertThat(process.waitFor()).as(() -> read(output)).isZero();
    } finally {
      process.destroyForcibly();
      removeLinks();
    }
    return Files.readAllLines(output);
  }

  private static String read(Path output) {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return "no output: " + e;
    }
  }

  /** JUnit warns of each link that it finds when it removes the folder. */
  private void removeLinks() throws IOException {
    try (Stream<Path> links = Files.list(folder.resolve("spark").resolve("jars"))) {
      for (Path link : links.toList()) {
        Files.delete(link);
      }
    }
  }

  /** What Spark's launcher wants to see of an installation. */
  private Path sparkHome(List<String> classPath) throws IOException {
    Path home = folder.resolve("spark");
    Path jars = Files.createDirectories(home.resolve("jars"));
    Files.writeString(home.resolve("RELEASE"), "");
    for (String entry : classPath) {
      Path jar = Path.of(entry);
      if (entry.endsWith(".jar") && Files.notExists(jars.resolve(jar.getFileName()))) {
        Files.createSymbolicLink(jars.resolve(jar.getFileName()), jar.toAbsolutePath());
      }
    }
    return home;
  }
}
