package io.spillway.resilience.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.report.Json;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.launcher.JavaModuleOptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that cannot fail prove nothing: each of these mistakes is made on purpose, and a named test
 * must notice it, and pass as soon as it is gone.
 */
class MutationProofTest {
  private static final long LONGEST_MINUTES = 15;

  /** The memory manager's tests are in no artifact. */
  private static final Path MEMORY_TESTS =
      Path.of("..", "memory-manager", "target", "test-classes").toAbsolutePath().normalize();

  @TempDir private Path directory;

  @TestFactory
  Stream<DynamicTest> shouldBeNoticedByANamedTest() throws Exception {
    return proofs(Defect.all(false));
  }

  @TestFactory
  @Tag("soak")
  Stream<DynamicTest> shouldBeNoticedByANamedTestThatTakesItsTime() throws Exception {
    return proofs(Defect.all(true));
  }

  private Stream<DynamicTest> proofs(List<Defect> defects) throws Exception {
    Path log = directory.resolve("log");
    Map<String, MutationRunner.Proof> proofs = prove(defects, log);
    String said = Files.readString(log);
    return defects.stream()
        .map(
            defect ->
                DynamicTest.dynamicTest(
                    defect + ": " + defect.catcher(),
                    () -> assertNoticed(proofs.get(defect.name()), said)));
  }

  private static void assertNoticed(MutationRunner.Proof proof, String log) {
    assertThat(proof).as("what the test said; the JVM's output:%n%s", log).isNotNull();
    assertThat(proof.woven()).as("methods that have the defect: %s", proof).isPositive();
    assertThat(proof.testsWith()).as("tests that ran: %s", proof).isPositive();
    assertThat(proof.failedWith()).as("tests that noticed it: %s", proof).isPositive();
    assertThat(proof.testsWithout()).as("tests that ran: %s", proof).isPositive();
    assertThat(proof.failedWithout()).as("tests that fail without it: %s%n%s", proof, log).isZero();
  }

  private Map<String, MutationRunner.Proof> prove(List<Defect> defects, Path log)
      throws IOException, InterruptedException {
    Path file = directory.resolve("proofs.jsonl");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(JavaModuleOptions.defaultModuleOptions().strip().split("\\s+", -1)));
    command.addAll(
        List.of(
            "-Xmx768m",
            // As in the tests of every build: Arrow's debug mode hangs on it.
            "-ea",
            "-XX:TieredStopAtLevel=1",
            "-XX:+EnableDynamicAgentLoading",
            "-Djdk.attach.allowAttachSelf=true",
            "-Djava.io.tmpdir=" + directory,
            "-Dspark.ui.enabled=false",
            "-Duser.timezone=UTC",
            "-cp",
            MEMORY_TESTS + File.pathSeparator + System.getProperty("java.class.path"),
            MutationRunner.class.getName(),
            file.toString()));
    defects.forEach(defect -> command.add(defect.name()));
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES);
    } finally {
      process.destroyForcibly().onExit().join();
    }
    Map<String, MutationRunner.Proof> proofs = new HashMap<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        MutationRunner.Proof proof = Json.LINES.readValue(line, MutationRunner.Proof.class);
        proofs.put(proof.defect(), proof);
      }
    }
    return proofs;
  }
}
