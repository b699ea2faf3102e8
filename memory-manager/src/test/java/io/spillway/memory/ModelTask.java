package io.spillway.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.TaskKilledException;

/**
 * One task attempt of a model run, and what all books must say of it after each step. All on one
 * thread.
 */
final class ModelTask {
  private final ModelRun run;
  private final Random random;
  private final SparkTask spark;
  private final TaskMemory memory;
  private final JvmConsumer jvm;
  private final ModelSteps steps;
  private final List<ModelOperator> operators = new ArrayList<>();
  private final List<ModelPiece> live = new ArrayList<>();

  /** Freed by an operator's end; Arrow counts them until they are released. */
  private final List<ModelPiece> ended = new ArrayList<>();

  private boolean open = true;

  ModelTask(ModelRun run, Random random) {
    this.run = run;
    this.random = random;
    spark = run.newSparkTask();
    memory = run.executor().openTask(spark.context());
    jvm = new JvmConsumer(spark.manager(), () -> {});
    steps = new ModelSteps(this, random);
  }

  ModelRun run() {
    return run;
  }

  TaskMemory memory() {
    return memory;
  }

  SparkTask spark() {
    return spark;
  }

  ModelSteps steps() {
    return steps;
  }

  boolean isOpen() {
    return open;
  }

  long liveBytes() {
    return live.stream().mapToLong(ModelPiece::bytes).sum();
  }

  int liveBlocks() {
    return live.stream().mapToInt(ModelPiece::blocks).sum();
  }

  JvmConsumer jvm() {
    return jvm;
  }

  /** Those that are open. */
  List<ModelOperator> operators() {
    return operators;
  }

  /** What is in the ledger. */
  List<ModelPiece> live() {
    return live;
  }

  /** What an operator's end has freed and Arrow still counts. */
  List<ModelPiece> ended() {
    return ended;
  }

  /** Takes a step and returns what it was, for the words of a failure. */
  String step() {
    return steps.next();
  }

  /** Its content must be as it was; afterwards no book knows it any more. */
  void free(ModelPiece piece) {
    piece.verify();
    piece.release();
    live.remove(piece);
  }

  /** Ends the attempt: well, badly, or in a way that only the backstop sees. */
  String end() {
    open = false;
    run.faults().disarm();
    long found = liveBytes();
    int way = random.nextInt(4);
    boolean succeeded = way == 0;
    if (way == 3) {
      assertThat(spark.sparkCleansUp()).isGreaterThanOrEqualTo(memory.reservedBytes());
      memory.closeWithoutSpark(false);
    } else if (succeeded) {
      spark.complete();
    } else {
      TaskKilledException killed = new TaskKilledException("by the model");
      if (way == 2) {
        spark.kill();
        assertThatThrownBy(memory::atBatchBoundary).isInstanceOf(TaskKilledException.class);
      }
      spark.fail(killed);
    }
    // Whatever came first: the second end finds the report of the first.
    TaskReport report = memory.closeWithoutSpark(succeeded);
    assertThat(report.leakedBytes()).isEqualTo(succeeded ? found : 0);
    assertThat(report.reclaimedBytes()).isEqualTo(succeeded ? 0 : found);
    run.countEnd(report);
    for (ModelPiece late : live) {
      late.release();
    }
    ended.forEach(ModelPiece::release);
    live.clear();
    ended.clear();
    operators.clear();
    spark.sparkCleansUp();
    assertThat(spark.sparkBytes()).isZero();
    assertThat(spark.overReleasedBytes()).isZero();
    assertThat(memory.usedBytes()).isZero();
    assertThat(memory.arrowRoot().getAllocatedMemory()).isZero();
    return "end in way " + way;
  }

  /** The books of this attempt agree with each other and with the model. */
  void check() {
    if (!open) {
      return;
    }
    long arrowBytes = liveBytes() + ended.stream().mapToLong(ModelPiece::bytes).sum();
    assertThat(memory.usedBytes()).as("the task's ledger").isEqualTo(liveBytes());
    assertThat(memory.arrowRoot().getAllocatedMemory()).as("Arrow").isEqualTo(arrowBytes);
    assertThat(spark.sparkBytes())
        .as("Spark: what operators reserved, and the JVM's operator")
        .isEqualTo(memory.reservedBytes() + jvm.getUsed());
    assertThat(memory.operators()).as("open operators").hasSize(operators.size());
    for (ModelOperator operator : operators) {
      check(operator);
    }
    if (!live.isEmpty()) {
      live.get(random.nextInt(live.size())).verify();
    }
  }

  private void check(ModelOperator operator) {
    OperatorMemory own = operator.memory();
    long charged = 0;
    long counted = 0;
    for (ModelPiece piece : live) {
      charged += piece.owner == operator ? piece.bytes() : 0;
      counted += piece.counted == operator ? piece.bytes() : 0;
    }
    for (ModelPiece piece : ended) {
      counted += piece.counted == operator ? piece.bytes() : 0;
    }
    charged += operator.foreignBytes();
    assertThat(own.usedBytes()).as("charged to %s", own.name()).isEqualTo(charged);
    assertThat(own.allocator().getAllocatedMemory())
        .as("Arrow counts in %s", own.name())
        .isEqualTo(counted);
    // A quantum may be idle, and a request that is under way meanwhile rounds up to another.
    long least = Math.max(charged, operator.isStateful() ? run.minOperatorBytes() : 0);
    assertThat(own.reservedBytes())
        .as("reserved by %s: at least the minimum, at most two quanta idle", own.name())
        .isBetween(least, least + 2 * run.executor().budget(1).quantumBytes());
  }
}
