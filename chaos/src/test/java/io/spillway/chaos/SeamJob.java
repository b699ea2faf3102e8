package io.spillway.chaos;

import io.spillway.memory.OperatorMemory;
import io.spillway.memory.PageSource;
import io.spillway.memory.spill.SegmentWriter;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.TaskCompletionListener;

/** A job of one stage whose tasks go through the stand-in seams as an operator would. */
final class SeamJob implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int batches;
  private final boolean cleanUpAllocates;

  private SeamJob(int batches, boolean cleanUpAllocates) {
    this.batches = batches;
    this.cleanUpAllocates = cleanUpAllocates;
  }

  /** Tasks let faults fail them, but for out-of-memory, which no task of Spark survives. */
  static SeamJob ofBatches(int batches) {
    return new SeamJob(batches, false);
  }

  /** As {@link #ofBatches}, and each task's clean-up allocates once more. */
  static SeamJob withAllocatingCleanUp(int batches) {
    return new SeamJob(batches, true);
  }

  /** Runs it; one line for each partition: stage id, attempt, denied allocations. */
  List<TaskResult> run(SparkContext spark, int partitions) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      numbers.add(i);
    }
    return JavaSparkContext.fromSparkContext(spark)
        .parallelize(numbers, partitions)
        .mapPartitions(this::task)
        .collect();
  }

  private Iterator<TaskResult> task(Iterator<Integer> rows) throws Exception {
    TaskContext context = TaskContext.get();
    if (cleanUpAllocates) {
      TaskCompletionListener cleanUp = ended -> allocate(new PageSource());
      context.addTaskCompletionListener(cleanUp);
    }
    OperatorMemory operator = new OperatorMemory("HashAggregate(partial)");
    SegmentWriter writer = new SegmentWriter();
    PageSource pages = new PageSource();
    int denied = 0;
    for (int batch = 0; batch < batches; batch++) {
      operator.batchBoundary();
      denied += allocate(pages) ? 0 : 1;
      writer.write(0, 8, 16, 32);
    }
    return List.of(new TaskResult(context.stageId(), context.attemptNumber(), denied)).iterator();
  }

  private boolean allocate(PageSource pages) {
    try {
      return pages.allocate(4096) == 8192;
    } catch (OutOfMemoryError e) {
      if (!e.getMessage().contains("injected")) {
        throw e;
      }
      return false;
    }
  }

  /** What became of one partition. */
  record TaskResult(int stageId, int attempt, int denied) implements Serializable {}
}
