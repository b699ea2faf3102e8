package io.spillway.chaos;

import io.spillway.chaos.SeamJob.TaskResult;
import io.spillway.memory.PageSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.spark.SparkContext;

/** The program of a JVM of its own that the agent is given to. Knows nothing of the agent. */
public final class ForkedJob {
  private ForkedJob() {}

  /**
   * Runs a job of four tasks and prints its results.
   *
   * @param arguments {@code changed-seam}: load a class with a seam's name and another signature
   *     too
   */
  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) throws Exception {
    if (List.of(arguments).contains("changed-seam")) {
      Object source =
          new ChangedSeam().loadClass(PageSource.class.getName()).getConstructor().newInstance();
      System.out.println(
          "changed seam " + source.getClass().getClassLoader().getClass().getSimpleName());
    }
    SparkContext spark = ChaosFixture.spark("local[1,4]");
    try {
      for (TaskResult result : SeamJob.ofBatches(5).run(spark, 4)) {
        System.out.println("attempt " + result.attempt() + " denied " + result.denied());
      }
    } finally {
      spark.stop();
    }
  }

  /** Gives the seam's name a class whose method is called otherwise: its file, one word changed. */
  private static final class ChangedSeam extends ClassLoader {
    ChangedSeam() {
      super(ForkedJob.class.getClassLoader());
    }

    @Override
    public Class<?> loadClass(String name) throws ClassNotFoundException {
      if (!name.equals(PageSource.class.getName())) {
        return super.loadClass(name);
      }
      try (InputStream in =
          ForkedJob.class.getResourceAsStream("/io/spillway/memory/PageSource.class")) {
        byte[] bytes = in.readAllBytes();
        rename(bytes, "allocate", "allotate");
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }

    private static void rename(byte[] bytes, String from, String to) {
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      byte[] changed =
          text.replace(from, to).getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
      System.arraycopy(changed, 0, bytes, 0, bytes.length);
    }
  }
}
