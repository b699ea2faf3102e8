package io.spillway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import io.spillway.chaos.FaultPoint;
import io.spillway.chaos.Seam;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A JVM of its own with {@link CommandedJob} in it: plain Spark, no jar of ours. */
final class JobJvm implements AutoCloseable {
  private static final Path HOME = Path.of(System.getProperty("spillway.home"));

  private final Path dir;
  private final Process process;
  private final BufferedReader out;
  private final BufferedWriter in;

  private JobJvm(Path dir, Process process) {
    this.dir = dir;
    this.process = process;
    this.out = process.inputReader(StandardCharsets.UTF_8);
    this.in = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** Starts it and waits until a query has run. */
  static JobJvm start(Path dir, String... jvmOptions) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(System.getProperty("spark.module.options").split(" ")));
    command.addAll(List.of("-Xmx512m", "-cp", classPath()));
    command.addAll(List.of(jvmOptions));
    command.add(CommandedJob.class.getName());
    JobJvm jvm =
        new JobJvm(
            dir,
            new ProcessBuilder(command)
                .directory(dir.toFile())
                .redirectError(dir.resolve("stderr").toFile())
                .start());
    List<String> first = List.of(jvm.out.readLine(), jvm.out.readLine());
    assertThat(first).containsExactlyInAnyOrder("ready", "others 499500");
    return jvm;
  }

  private static String classPath() throws IOException {
    return HOME.resolve("test-suites/target/test-classes")
        + File.pathSeparator
        + Files.readString(HOME.resolve("test-suites/target/class-path/spark.txt")).strip();
  }

  /** The packaged agent. */
  static Path agentJar() throws IOException {
    try (Stream<Path> files = Files.list(HOME.resolve("chaos/target"))) {
      return files
          .filter(file -> file.getFileName().toString().matches("spillway-chaos-agent-.*\\.jar"))
          .findFirst()
          .orElseThrow();
    }
  }

  long pid() {
    return process.pid();
  }

  /** Runs a query there; its sum and its failed tasks. */
  String query() throws IOException {
    in.write("\n");
    in.flush();
    return out.readLine();
  }

  /** What the JVM has said on its standard error. */
  String errors() throws IOException {
    return Files.readString(dir.resolve("stderr"));
  }

  /** Files of a folder that the JVM holds open. */
  List<Path> openFilesBelow(Path folder) throws IOException {
    List<Path> open = new ArrayList<>();
    try (Stream<Path> links = Files.list(Path.of("/proc", Long.toString(pid()), "fd"))) {
      for (Path link : links.toList()) {
        if (Files.isSymbolicLink(link) && Files.readSymbolicLink(link).startsWith(folder)) {
          open.add(Files.readSymbolicLink(link));
        }
      }
    }
    return open;
  }

  /** The digests of the code of all seams, and the threads, as {@link SeamProbe} writes them. */
  List<String> probe() throws Exception {
    Path jar = dir.resolve("probe.jar");
    if (!Files.exists(jar)) {
      writeProbe(jar);
    }
    Path answer = dir.resolve("probe.txt");
    String classes =
        Arrays.stream(FaultPoint.values())
            .flatMap(point -> point.seams().stream())
            .map(Seam::className)
            .collect(Collectors.toCollection(TreeSet::new))
            .stream()
            .filter(
                name ->
                    name.startsWith("org.apache.spark.scheduler")
                        || name.startsWith("org.apache.spark.memory")
                        || name.startsWith("org.apache.spark.shuffle"))
            .collect(Collectors.joining(";"));
    VirtualMachine jvm = VirtualMachine.attach(Long.toString(pid()));
    try {
      jvm.loadAgent(jar.toString(), answer + ";" + classes);
    } finally {
      jvm.detach();
    }
    return Files.readAllLines(answer);
  }

  private static void writeProbe(Path jar) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Agent-Class", SeamProbe.class.getName());
    manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream jarFile = new JarOutputStream(file, manifest)) {
      for (String name : List.of("SeamProbe.class", "SeamProbe$1.class")) {
        jarFile.putNextEntry(new JarEntry("io/spillway/cli/" + name));
        try (InputStream in = SeamProbe.class.getResourceAsStream(name)) {
          in.transferTo(jarFile);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
    out.close();
    process.destroyForcibly().onExit().join();
  }
}
