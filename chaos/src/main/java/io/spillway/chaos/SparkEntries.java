package io.spillway.chaos;

/** The catalogue's entries for Spark's memory, shuffle, tasks, executors and plugins. */
final class SparkEntries {
  private static final Seam RESULT_TASK =
      new Seam(
          "org.apache.spark.scheduler.ResultTask",
          "runTask",
          "(Lorg/apache/spark/TaskContext;)Ljava/lang/Object;");
  private static final Seam MAP_TASK =
      new Seam(
          "org.apache.spark.scheduler.ShuffleMapTask",
          "runTask",
          "(Lorg/apache/spark/TaskContext;)Lorg/apache/spark/scheduler/MapStatus;");
  private static final Seam SPILLWAY_BATCH =
      new Seam("io.spillway.memory.OperatorMemory", "batchBoundary", "()V");
  private static final Seam KILL_CHECK =
      new Seam("org.apache.spark.TaskContextImpl", "killTaskIfInterrupted", "()V");

  static final PointEntry MEMORY_ACQUIRE =
      PointEntry.demandDriven(
              "memory.acquire",
              "a memory consumer asks Spark for execution memory",
              "every consumer: Spark itself grants less whenever memory is short; it spills, or its"
                  + " task fails")
          .namingOperator()
          .at(
              new Seam(
                  "org.apache.spark.memory.TaskMemoryManager",
                  "acquireExecutionMemory",
                  "(JLorg/apache/spark/memory/MemoryConsumer;)J"))
          .carrying(Fault.ShortGrant.ID, Fault.Delay.ID);

  static final PointEntry MEMORY_PAGE =
      PointEntry.demandDriven(
              "memory.page",
              "Spark takes an off-heap page",
              "Spark asks again for another page, and keeps what it could not take charged to the"
                  + " task")
          .at(
              new Seam(
                  "org.apache.spark.unsafe.memory.UnsafeMemoryAllocator",
                  "allocate",
                  "(J)Lorg/apache/spark/unsafe/memory/MemoryBlock;"))
          .carrying(Fault.OutOfMemory.ID, Fault.Delay.ID);

  static final PointEntry SHUFFLE_WRITE =
      PointEntry.dataDriven(
              "shuffle.write",
              "a map task starts to write its shuffle output",
              "Spark fails the task")
          .at(
              new Seam(
                  "org.apache.spark.shuffle.ShuffleWriteProcessor",
                  "write",
                  "(Lorg/apache/spark/rdd/RDD;Lorg/apache/spark/ShuffleDependency;J"
                      + "Lorg/apache/spark/TaskContext;Lorg/apache/spark/Partition;)"
                      + "Lorg/apache/spark/scheduler/MapStatus;"))
          .carrying(Fault.CallError.ID, Fault.Delay.ID);

  static final PointEntry SHUFFLE_FETCH =
      PointEntry.dataDriven(
              "shuffle.fetch",
              "a task takes the next fetched block of a shuffle",
              "Spark fails the task; on a fetch failure it runs the map task again first; a damaged"
                  + " block it fetches again, or takes for a fetch failure")
          .at(
              new Seam(
                  "org.apache.spark.storage.ShuffleBlockFetcherIterator",
                  "next",
                  "()Lscala/Tuple2;"),
              new Seam(
                  "org.apache.spark.network.buffer.FileSegmentManagedBuffer",
                  "createInputStream",
                  "()Ljava/io/InputStream;"),
              new Seam(
                  "org.apache.spark.network.buffer.NettyManagedBuffer",
                  "createInputStream",
                  "()Ljava/io/InputStream;"))
          .carrying(
              Fault.CallError.ID, Fault.FetchFailure.ID, Fault.DamagedBlock.ID, Fault.Delay.ID);

  static final PointEntry TASK_START =
      PointEntry.dataDriven("task.start", "a task's body starts", "Spark fails the task")
          .at(RESULT_TASK, MAP_TASK)
          .carrying(Fault.TaskException.ID, Fault.Kill.ID, Fault.Delay.ID, Fault.OutOfMemory.ID);

  static final PointEntry TASK_BATCH =
      PointEntry.dataDriven(
              "task.batch",
              "a Spillway operator starts a batch; without Spillway, a task asks whether it was"
                  + " killed",
              "fails the task, since 0.1")
          .namingOperator()
          .at(SPILLWAY_BATCH, KILL_CHECK)
          .carrying(Fault.TaskException.ID, Fault.Kill.ID, Fault.Delay.ID, Fault.OutOfMemory.ID);

  static final PointEntry TASK_END =
      PointEntry.dataDriven(
              "task.end",
              "a task's body has ended well; its clean-up has not run and its result is not sent",
              "Spark fails the task")
          .at(RESULT_TASK, MAP_TASK)
          .carrying(Fault.TaskException.ID, Fault.Kill.ID, Fault.Delay.ID, Fault.OutOfMemory.ID);

  static final PointEntry EXECUTOR_EXIT =
      PointEntry.dataDriven(
              "executor.exit",
              "a task's body starts, and after that each of its batches, as task.batch counts them;"
                  + " never in the driver's JVM",
              "Spark runs the executor's tasks, and what they had written, on another one")
          .at(RESULT_TASK, MAP_TASK, SPILLWAY_BATCH, KILL_CHECK)
          .carrying(Fault.Halt.ID);

  static final PointEntry PLUGIN_RPC =
      PointEntry.demandDriven(
              "plugin.rpc",
              "a plugin on an executor sends the driver a message, or asks it",
              "the plugin; Spark itself sends nothing this way")
          .at(
              new Seam(
                  "org.apache.spark.internal.plugin.PluginContextImpl",
                  "send",
                  "(Ljava/lang/Object;)V"),
              new Seam(
                  "org.apache.spark.internal.plugin.PluginContextImpl",
                  "ask",
                  "(Ljava/lang/Object;)Ljava/lang/Object;"))
          .carrying(Fault.Lost.ID, Fault.CallError.ID, Fault.Delay.ID);

  private SparkEntries() {}
}
