package io.spillway.memory;

import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;

/** A Spark job in a JVM of its own, that spills 4 MiB that no codec can shrink. */
public final class FullDiskJob {
  static final String SUM = "SUM ";
  static final String FAILED = "FAILED ";
  static final String LEFT = "LEFT ";
  static final int PAGES = 64;

  private FullDiskJob() {}

  /** Argument: the local directories, with commas between them. */
  public static void main(String[] args) {
    SparkConf conf =
        new SparkConf()
            .setAppName("full-disk")
            .setMaster("local[1]")
            .set("spark.plugins", ScopePlugin.class.getName())
            .set("spark.memory.offHeap.enabled", "true")
            .set("spark.memory.offHeap.size", "1m")
            .set("spark.shuffle.spill.compress", "false")
            .set("spark.local.dir", args[0])
            .set("spark.ui.enabled", "false");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      List<Integer> pages = IntStream.range(0, PAGES).boxed().toList();
      try {
        long sum = spark.parallelize(pages, 1).mapPartitions(FullDiskJob::sum).reduce(Long::sum);
        System.out.println(SUM + sum);
      } catch (Exception e) {
        System.out.println(FAILED + (e instanceof SparkException) + " " + e.getMessage());
      }
      long small = spark.parallelize(pages, 1).count();
      MemorySnapshot snapshot = ExecutorMemory.installed().orElseThrow().snapshot();
      System.out.println(LEFT + snapshot.usedBytes() + " after " + small);
    }
  }

  private static Iterator<Long> sum(Iterator<Integer> values) throws Exception {
    SpilledPages pages = new SpilledPages();
    while (values.hasNext()) {
      pages.add(values.next());
    }
    return List.of(pages.sum()).iterator();
  }
}
