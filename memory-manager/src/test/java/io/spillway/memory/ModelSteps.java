package io.spillway.memory;

import static io.spillway.memory.Fixture.KIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.memory.spill.SpillException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.arrow.memory.AllocationListener;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.spark.memory.SparkOutOfMemoryError;

/** The steps that a task attempt of a model run may take, each of them maybe with a fault. */
final class ModelSteps {
  private static final int MOST_OPERATORS = 4;

  private final ModelTask task;
  private final ModelRun run;
  private final Random random;
  private final List<ModelOperator> operators;
  private final List<ModelPiece> live;

  ModelSteps(ModelTask task, Random random) {
    this.task = task;
    this.random = random;
    run = task.run();
    operators = task.operators();
    live = task.live();
  }

  /** Takes one and returns what it was. */
  String next() {
    String step = operators.isEmpty() ? openOperator() : chosenStep();
    run.faults().disarm();
    return step;
  }

  private String chosenStep() {
    if (random.nextInt(4) == 0) {
      run.faults().arm(any(List.of(ModelFaults.Kind.values())));
    }
    if (run.faults().needsPressure() && random.nextInt(4) > 0) {
      return allocate(4, 250 * KIB);
    }
    int dice = random.nextInt(100);
    if (dice < 30) {
      return allocate(dice, someBytes());
    }
    if (dice < 38) {
      return allocateBuffer();
    }
    if (dice < 45) {
      return growVector();
    }
    if (dice < 65) {
      return freeSome();
    }
    if (dice < 73) {
      return adopt();
    }
    if (dice < 78) {
      return transfer();
    }
    if (dice < 84) {
      return useJvmMemory();
    }
    if (dice < 87) {
      return chargeForeign();
    }
    if (dice < 90) {
      attempt(
          0,
          () -> {
            task.memory().atBatchBoundary();
            return true;
          });
      return "batch boundary";
    }
    if (dice < 92) {
      return allocateUnderAListener();
    }
    if (dice < 96) {
      return operators.size() < MOST_OPERATORS ? openOperator() : closeOperator();
    }
    return dice < 99 ? closeOperator() : task.end();
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private long someBytes() {
    return 1L + random.nextInt((int) (random.nextInt(8) == 0 ? 250 * KIB : 24 * KIB));
  }

  private String openOperator() {
    ModelOperator operator = new ModelOperator(task);
    boolean stateful = random.nextBoolean();
    attempt(
        0,
        () -> {
          operator.open("operator" + run.nextNumber(), stateful);
          return operators.add(operator);
        });
    return "open operator";
  }

  /**
   * Runs what may be refused.
   *
   * @param neededBytes of Spark, if it must be granted when there is plainly room; 0 if not
   * @return what it returned, or null if it was refused
   */
  private <T> T attempt(long neededBytes, Supplier<T> request) {
    boolean mustSucceed = neededBytes > 0 && !run.faults().isArmed() && hasRoomFor(neededBytes);
    try {
      T got = request.get();
      assertThat(got != null || !mustSucceed)
          .as("granted, because there is room for %s bytes", neededBytes)
          .isTrue();
      return got;
    } catch (SparkOutOfMemoryError refused) {
      assertThat(mustSucceed).as("refused %s", refused.getMessage()).isFalse();
      assertThat(refused).hasNoCause().hasMessageContaining("spark.memory.offHeap.size");
      run.countRefusal();
      return null;
    } catch (SpillException failed) {
      assertThat(run.faults().isArmed(ModelFaults.Kind.SPILL_FAILS)).isTrue();
      return null;
    }
  }

  private boolean hasRoomFor(long bytes) {
    return run.isAlone()
        && bytes
            <= Math.min(
                run.offHeapBytes() / run.openTasks() - task.spark().sparkBytes(),
                run.offHeapBytes() - run.sparkBytes());
  }

  private String allocate(int dice, long asked) {
    ModelOperator operator = any(operators);
    long rounded = run.executor().pages().roundedBytes(asked);
    OperatorMemory own = operator.memory();
    NativeBlock block =
        switch (dice % 5) {
          case 0 -> attempt(rounded, () -> own.tryAllocate(asked));
          case 1 -> attempt(rounded, () -> operator.withoutSpilling(() -> own.tryAllocate(asked)));
          case 2 -> attempt(rounded, () -> operator.withoutSpilling(() -> own.allocate(asked)));
          case 3 -> attempt(0, () -> elsewhere(() -> own.tryAllocate(asked)));
          default -> attempt(rounded, () -> own.allocate(asked));
        };
    if (block != null) {
      assertThat(block.size()).isEqualTo(rounded);
      ModelPiece.Block piece = new ModelPiece.Block(operator, block, run.nextNumber());
      live.add(piece);
      if (operator.isStateful() && random.nextInt(3) > 0) {
        operator.keep(piece);
      }
    }
    return "allocate " + asked + " as " + dice % 5;
  }

  private String allocateBuffer() {
    ModelOperator operator = any(operators);
    BufferAllocator own = operator.memory().allocator();
    BufferAllocator child =
        random.nextBoolean() ? own.newChildAllocator("child", 0, Long.MAX_VALUE) : null;
    ArrowBuf buffer =
        attempt(
            run.executor().pages().roundedBytes(20 * KIB),
            () -> (child == null ? own : child).buffer(20 * KIB));
    if (buffer != null) {
      live.add(new ModelPiece.Buffer(operator, buffer, child, run.nextNumber()));
    } else if (child != null) {
      child.close();
    }
    return "Arrow buffer";
  }

  private String growVector() {
    for (ModelPiece piece : live) {
      if (piece instanceof ModelPiece.Vector vector && random.nextBoolean()) {
        attempt(0, () -> grown(vector));
        return "grow vector";
      }
    }
    ModelPiece.Vector vector = new ModelPiece.Vector(any(operators));
    live.add(vector);
    attempt(0, () -> grown(vector));
    return "new vector";
  }

  private Boolean grown(ModelPiece.Vector vector) {
    vector.grow(1 + random.nextInt(3000));
    return true;
  }

  private String freeSome() {
    if (!live.isEmpty()) {
      ModelPiece piece = any(live);
      piece.owner.forget(piece);
      if (random.nextInt(3) == 0) {
        elsewhere(
            () -> {
              task.free(piece);
              return true;
            });
      } else {
        task.free(piece);
      }
    }
    if (!task.ended().isEmpty() && random.nextBoolean()) {
      task.ended().remove(random.nextInt(task.ended().size())).release();
    }
    return "free";
  }

  private String adopt() {
    List<ModelPiece.Block> blocks = new ArrayList<>();
    for (ModelPiece piece : live) {
      if (piece instanceof ModelPiece.Block block) {
        blocks.add(block);
      }
    }
    if (blocks.isEmpty()) {
      return "nothing to adopt";
    }
    ModelPiece.Block block = any(blocks);
    // What is under way to another operator must not be spilled from under it.
    block.owner.forget(block);
    ModelOperator target = any(operators);
    attempt(
        0,
        () -> {
          block.adoptedBy(target);
          return true;
        });
    block.verify();
    return "adopt";
  }

  /** A block of another task is no one's to adopt. */
  void refuseToAdopt(ModelTask other) {
    for (ModelPiece piece : other.live()) {
      if (piece instanceof ModelPiece.Block block && !operators.isEmpty()) {
        assertThatThrownBy(() -> operators.get(0).memory().adopt(block.handle()))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("another task");
        return;
      }
    }
  }

  private String transfer() {
    for (ModelPiece piece : live) {
      if (piece instanceof ModelPiece.Buffer buffer && random.nextBoolean()) {
        buffer.transferTo(any(operators));
        return "Arrow's own transfer";
      }
    }
    return "nothing to transfer";
  }

  private String useJvmMemory() {
    if (random.nextInt(3) > 0) {
      try {
        task.jvm().grow(someBytes());
      } catch (SpillException failed) {
        // Spark forgets what it had granted so far: only the end of the task sets that right.
        run.faults().disarm();
        task.end();
        return "a JVM operator's request, ended by a failed spill";
      }
    } else if (task.jvm().getUsed() > 0) {
      task.jvm().freeMemory(1 + random.nextInt((int) task.jvm().getUsed()));
    }
    return "JVM operator";
  }

  private String chargeForeign() {
    ModelOperator operator = any(operators);
    long bytes = random.nextInt(3) == 0 ? 0 : someBytes();
    attempt(
        0,
        () -> {
          operator.chargeForeign(bytes);
          return true;
        });
    return "foreign charge";
  }

  private String allocateUnderAListener() {
    AllocationListener throwing =
        new AllocationListener() {
          @Override
          public void onAllocation(long size) {
            throw new IllegalStateException("onAllocation, says the model");
          }
        };
    BufferAllocator own = any(operators).memory().allocator();
    try (BufferAllocator child = own.newChildAllocator("foreign", throwing, 0, 1 << 20)) {
      assertThatThrownBy(() -> child.buffer(4096))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("belongs to no operator");
    }
    return "allocate under a listener that throws";
  }

  private String closeOperator() {
    ModelOperator operator = operators.remove(random.nextInt(operators.size()));
    operator.memory().close();
    operator.memory().close();
    for (ModelPiece piece : new ArrayList<>(live)) {
      if (piece.owner == operator) {
        live.remove(piece);
        if (!piece.isHandle()) {
          task.ended().add(piece);
        }
      }
    }
    assertThatThrownBy(() -> operator.memory().allocate(1))
        .isInstanceOf(IllegalStateException.class);
    return "close operator";
  }

  private <T> T elsewhere(Supplier<T> request) {
    AtomicReference<T> got = new AtomicReference<>();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread = new Thread(() -> got.set(request.get()), "model-helper");
    thread.setUncaughtExceptionHandler((t, e) -> failure.set(e));
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    if (failure.get() != null) {
      throw new AssertionError("on another thread", failure.get());
    }
    return got.get();
  }
}
