package io.spillway.memory;

import io.spillway.memory.event.MemoryEvent;
import io.spillway.memory.event.MemoryEventListener;
import io.spillway.memory.guard.ContainerGuard;
import io.spillway.memory.spill.SpillException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.MemoryManager;

/** One executor with a real Spark memory manager, and what it was heard to do. */
final class Fixture implements AutoCloseable {
  static final long KIB = 1024;
  static final long MIB = 1024 * KIB;

  /** Of an operator that has nowhere to spill to. */
  static final Spillable FULL_DISK =
      bytes -> {
        throw new SpillException("disk full, says the test");
      };

  final List<MemoryEvent> events = Collections.synchronizedList(new ArrayList<>());
  final MemoryManager spark;
  final ExecutorMemory executor;
  private volatile MemoryEventListener listener = MemoryEventListener.NONE;
  private long nextAttempt = 12;

  Fixture(long offHeapBytes) {
    this(SparkTask.conf(offHeapBytes), new PageSource());
  }

  Fixture(SparkConf conf, PageSource pages) {
    this(conf, pages, ContainerGuard.off(MemorySettings.fromConf(conf).guard(), "not under test"));
  }

  Fixture(SparkConf conf, PageSource pages, ContainerGuard guard) {
    spark = SparkTask.memory(conf);
    executor =
        new ExecutorMemory(MemorySettings.fromConf(conf), this::hear, pages, () -> spark, guard);
  }

  /** A mebibyte that is granted page by page, and waits for other tasks as told. */
  static Fixture waiting(int waitAttempts, String waitInitial) {
    return new Fixture(
        SparkTask.conf(1 * MIB)
            .set(MemorySettings.QUANTUM, "4k")
            .set(MemorySettings.WAIT_ATTEMPTS, Integer.toString(waitAttempts))
            .set(MemorySettings.WAIT_INITIAL, waitInitial),
        new PageSource());
  }

  /** Told of every event too, on the thread that caused it. */
  void tell(MemoryEventListener another) {
    listener = another;
  }

  private void hear(MemoryEvent event) {
    events.add(event);
    listener.onEvent(event);
  }

  SparkTask task() {
    return new SparkTask(spark, nextAttempt++);
  }

  <T extends MemoryEvent> List<T> heard(Class<T> type) {
    synchronized (events) {
      return events.stream().filter(type::isInstance).map(type::cast).toList();
    }
  }

  /** Spark's figure for the whole executor. */
  long sparkBytes() {
    return spark.offHeapExecutionMemoryUsed();
  }

  @Override
  public void close() {
    executor.close();
  }
}
