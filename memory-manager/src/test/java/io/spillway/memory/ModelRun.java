package io.spillway.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.MemoryManager;

/** One executor of a model run, with Spark's real memory manager, and its totals. */
final class ModelRun implements AutoCloseable {
  private final boolean alone;
  private final long offHeapBytes;
  private final MemorySettings settings;
  private final MemoryManager spark;
  private final ModelFaults faults = new ModelFaults();
  private final ExecutorMemory executor;
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong refusals = new AtomicLong();
  private final AtomicLong spilledBytes = new AtomicLong();
  private final AtomicLong leakedBytes = new AtomicLong();
  private final AtomicLong reclaimedBytes = new AtomicLong();

  /**
   * An executor without tasks.
   *
   * @param offHeapBytes that its tasks share
   * @param alone whether one thread does the steps of all tasks: then none may wait for another
   */
  ModelRun(long offHeapBytes, boolean alone) {
    this.alone = alone;
    this.offHeapBytes = offHeapBytes;
    SparkConf conf =
        SparkTask.conf(offHeapBytes)
            .set(MemorySettings.QUANTUM, "16k")
            .set(MemorySettings.MIN_OPERATOR, "32k")
            .set(MemorySettings.WAIT_ATTEMPTS, alone ? "0" : "2")
            // Many requests are refused by order, whatever comes back.
            .set(MemorySettings.WAIT_TOTAL, "100ms");
    settings = MemorySettings.fromConf(conf);
    spark = SparkTask.memory(conf);
    executor =
        new ExecutorMemory(settings, faults::onEvent, faults.pages(), () -> spark, faults.guard());
  }

  ExecutorMemory executor() {
    return executor;
  }

  ModelFaults faults() {
    return faults;
  }

  long offHeapBytes() {
    return offHeapBytes;
  }

  long minOperatorBytes() {
    return settings.minOperatorBytes();
  }

  long sparkBytes() {
    return spark.offHeapExecutionMemoryUsed();
  }

  boolean isAlone() {
    return alone;
  }

  int openTasks() {
    return executor.openTasks();
  }

  long nextNumber() {
    return numbers.incrementAndGet();
  }

  SparkTask newSparkTask() {
    SparkTask task = new SparkTask(spark, nextNumber());
    task.grants(
        asked -> {
          long bytes = faults.asked(asked);
          return alone && wouldWait(task, bytes) ? 0 : bytes;
        });
    return task;
  }

  /**
   * Whether Spark might let the request wait until other tasks return memory, for any number of
   * them that it may be counting: as {@code ExecutionMemoryPool} decides.
   */
  private boolean wouldWait(SparkTask task, long bytes) {
    long held = task.sparkBytes();
    long free = offHeapBytes - sparkBytes();
    for (int tasks = 1; tasks <= openTasks(); tasks++) {
      long granted = Math.min(free, Math.min(bytes, Math.max(0, offHeapBytes / tasks - held)));
      if (granted < bytes && held + granted < offHeapBytes / (2L * tasks)) {
        return true;
      }
    }
    return false;
  }

  void countRefusal() {
    refusals.incrementAndGet();
  }

  void countSpilled(long bytes) {
    spilledBytes.addAndGet(bytes);
  }

  void countEnd(TaskReport report) {
    leakedBytes.addAndGet(report.leakedBytes());
    reclaimedBytes.addAndGet(report.reclaimedBytes());
  }

  /** The executor's books; nothing may go on meanwhile. */
  void check(ModelTask... tasks) {
    long usedBytes = 0;
    long blocks = 0;
    long sparkBytes = 0;
    List<ModelTask> open = new ArrayList<>(Arrays.asList(tasks));
    open.removeIf(task -> task == null || !task.isOpen());
    for (ModelTask task : open) {
      usedBytes += task.liveBytes();
      blocks += task.liveBlocks();
      sparkBytes += task.spark().sparkBytes();
    }
    assertThat(sparkBytes()).as("Spark, all tasks").isEqualTo(sparkBytes);
    assertThat(executor.snapshot())
        .returns(usedBytes, MemorySnapshot::usedBytes)
        .returns(blocks, MemorySnapshot::blocks)
        .returns(open.size(), MemorySnapshot::openTasks)
        .returns(leakedBytes.get(), MemorySnapshot::leakedBytes)
        .returns(reclaimedBytes.get(), MemorySnapshot::reclaimedBytes);
  }

  /** At the end nothing is held. */
  void checkEnd() {
    check();
    assertThat(executor.snapshot().reservedBytes()).isZero();
    assertThat(refusals).as("refusals").hasPositiveValue();
    assertThat(reclaimedBytes).as("reclaimed").hasPositiveValue();
  }

  /** Everything that the model is about has happened; a matter of chance when steps are few. */
  void checkThatAllHappened() {
    assertThat(spilledBytes).as("spills").hasPositiveValue();
    assertThat(leakedBytes).as("leaks").hasPositiveValue();
    for (ModelFaults.Kind kind : ModelFaults.Kind.values()) {
      assertThat(faults.fired(kind)).as("fired: %s", kind).isPositive();
    }
  }

  @Override
  public void close() {
    executor.close();
  }
}
