package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CatalogueTest {

  @Test
  void shouldBeThePageInTheDocumentation() throws Exception {
    Path page = Path.of("..", "docs", "chaos-points.md");
    assertThat(Files.readString(page))
        .as("%s, made by ./spillway chaos points --markdown", page)
        .isEqualTo(Catalogue.markdown());
  }

  @Test
  void shouldNameEachPointWithItsSeamsAndFaultsWhenPrinted() {
    assertThat(Catalogue.text())
        .contains("memory.acquire  a memory consumer asks Spark for execution memory\n")
        .contains(
            "    seam     org.apache.spark.memory.TaskMemoryManager.acquireExecutionMemory"
                + "(JLorg/apache/spark/memory/MemoryConsumer;)J\n")
        .contains(
            "gluten.reserve  Gluten's native memory pool asks Spark for execution memory (unv")
        .contains("    faults   short-grant, delay\n")
        .contains("    calls    demand-driven, operator known\n")
        .contains("    seam     io.spillway.kernel.Kernels.*(*)J but eval, select, take, rows");
  }

  @Test
  void shouldCarryOnlyFaultsThatThePlanCanName() {
    Set<String> carried = new HashSet<>();
    Arrays.stream(FaultPoint.values()).forEach(point -> carried.addAll(point.faults()));
    assertThat(carried).containsExactlyInAnyOrderElementsOf(Fault.IDS);
    assertThat(FaultPoint.values()).extracting(FaultPoint::id).doesNotHaveDuplicates();
  }
}
