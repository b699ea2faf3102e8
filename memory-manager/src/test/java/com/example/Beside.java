package com.example;

import io.spillway.memory.ExecutorMemory;
import io.spillway.memory.NativeBlock;
import io.spillway.memory.OperatorMemory;
import io.spillway.memory.SharedLease;
import io.spillway.memory.TaskMemory;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.spark.TaskContext;
import org.apache.spark.unsafe.Platform;

/** Memory beside the state of one operator: shared by tasks, used by a helper thread, leaked. */
public final class Beside {
  private static final int SQUARES = 1000;

  /** Where the table starts; immutable once it is built. */
  private record Squares(long address) {
    long of(long value) {
      return Platform.getLong(null, address + value * Long.BYTES);
    }
  }

  private Beside() {}

  /** Looks values up in a table that the tasks of an executor share. */
  public static Iterator<Long> squares(Iterator<Long> values) {
    ExecutorMemory memory = ExecutorMemory.installed().orElseThrow();
    TaskMemory task = memory.task(TaskContext.get());
    // The first task that asks builds it; others wait for it. The task's scope closes the lease.
    SharedLease<Squares> lease =
        memory
            .shared()
            .lease(
                "squares",
                Squares.class,
                task,
                region -> {
                  long address = region.allocate((long) SQUARES * Long.BYTES);
                  for (long i = 0; i < SQUARES; i++) {
                    Platform.putLong(null, address + i * Long.BYTES, i * i);
                  }
                  return new Squares(address);
                });
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return values.hasNext();
      }

      @Override
      public Long next() {
        return lease.value().of(values.next());
      }
    };
  }

  /** Counts the values, on a thread of its own, in native memory. */
  public static Iterator<Long> countOnAHelper(Iterator<Long> values)
      throws InterruptedException, ExecutionException {
    TaskMemory task = ExecutorMemory.installed().orElseThrow().task(TaskContext.get());
    OperatorMemory memory = task.operator("Count", null);
    NativeBlock counter = memory.allocate(Long.BYTES);
    Platform.putLong(null, counter.address(), 0);
    FutureTask<Void> helper =
        new FutureTask<>(
            () -> {
              boolean more = true;
              while (more) {
                // The end of the task waits for a step under way, and lets no further one begin.
                more = task.onHelperThread(() -> countNext(values, counter), false);
              }
            },
            null);
    new Thread(helper, "count").start();
    helper.get();
    long count = Platform.getLong(null, counter.address());
    // Not in a finally: if this attempt is killed meanwhile the helper may still count. The scope
    // waits for it, and closes this then.
    memory.close();
    return List.of(count).iterator();
  }

  /** Pulling a row is part of the step: what is below may use native memory too. */
  private static boolean countNext(Iterator<Long> values, NativeBlock counter) {
    if (!values.hasNext()) {
      return false;
    }
    values.next();
    Platform.putLong(null, counter.address(), Platform.getLong(null, counter.address()) + 1);
    return true;
  }

  /** Never closes what it opens. */
  public static Iterator<Long> forgetful(Iterator<Long> values) {
    TaskMemory task = ExecutorMemory.installed().orElseThrow().task(TaskContext.get());
    task.operator("Forgetful", null).allocate(10_000);
    return values;
  }
}
