package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.memory.OperatorMemory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a batch is depends on whether the tasks' class path has Spillway. */
class TaskBatchTest {
  private static final long SEED = 7;

  @TempDir Path dir;

  @AfterEach
  void disarm() {
    ChaosAgent.uninstall();
  }

  @Test
  void shouldCountTheTasksChecksWhenThereIsNoSpillway() {
    assertThat(reachedByPlainTasks(new SparkConf())).isGreaterThanOrEqualTo(10);
  }

  @Test
  void shouldCountNoCheckWhenSpillwayCameAsAJarOfTheJob() throws IOException {
    Path jar = dir.resolve("plugin.jar");
    String name = OperatorMemory.class.getName().replace('.', '/') + ".class";
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        InputStream in = OperatorMemory.class.getResourceAsStream("/" + name)) {
      out.putNextEntry(new JarEntry(name));
      in.transferTo(out);
    }
    assertThat(reachedByPlainTasks(new SparkConf().set("spark.jars", jar.toUri().toString())))
        .isZero();
  }

  private long reachedByPlainTasks(SparkConf conf) {
    ChaosController chaos =
        ChaosFixture.arm(dir, SEED, "{point: task.batch, fault: exception, when: {nth: 99}}");
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    // Spark gives its task threads this loader, with the job's jars on top.
    Thread.currentThread().setContextClassLoader(new WithoutSpillwayLoader(before));
    conf.setMaster("local[1]")
        .setAppName("chaos-test")
        .set("spark.driver.host", "localhost")
        .set("spark.driver.bindAddress", "127.0.0.1");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      assertThat(spark.parallelize(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 1).count())
          .isEqualTo(10);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
    assertThat(chaos.point(FaultPoint.TASK_BATCH).instrumented()).isTrue();
    return chaos.point(FaultPoint.TASK_BATCH).reached();
  }
}
