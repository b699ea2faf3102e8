package io.spillway.chaos;

/** The catalogue's entries for spill files: Spillway's, and those of Spark's sorters. */
final class SpillEntries {
  private static final String SPILLWAY = "io.spillway.memory.spill.";
  private static final String SPARK = "org.apache.spark.util.collection.unsafe.sort.";

  static final PointEntry OPEN =
      PointEntry.demandDriven(
              "spill.open",
              "a spill file is created: Spillway's in one local directory, or a Spark sorter's",
              "Spillway tries the next local directory, then fails the task, since 0.1; Spark fails"
                  + " the task")
          .at(
              new Seam(
                  SPILLWAY + "SpillStore",
                  "open",
                  "(Ljava/io/File;)Ljava/nio/channels/FileChannel;"),
              new Seam(
                  SPARK + "UnsafeSorterSpillWriter",
                  "<init>",
                  "(Lorg/apache/spark/storage/BlockManager;I"
                      + "Lorg/apache/spark/executor/ShuffleWriteMetrics;I)V"))
          .carrying(Fault.DiskFull.ID, Fault.CallError.ID, Fault.Interrupt.ID, Fault.Delay.ID);

  static final PointEntry WRITE =
      PointEntry.demandDriven(
              "spill.write",
              "Spillway writes one frame of a spill, or a Spark sorter one row",
              "fails the task; what is damaged on its way to the disk Spillway finds when it reads"
                  + " it back, since 0.1")
          .at(
              new Seam(SPILLWAY + "SegmentWriter", "write", "(JIII)V"),
              new Seam(SPILLWAY + "SpillOutput", "write", "([BII)V"),
              new Seam(SPARK + "UnsafeSorterSpillWriter", "write", "(Ljava/lang/Object;JIJ)V"))
          .carrying(
              Fault.DiskFull.ID,
              Fault.CallError.ID,
              Fault.ShortWrite.ID,
              Fault.FlippedByte.ID,
              Fault.Interrupt.ID,
              Fault.Delay.ID);

  static final PointEntry FLUSH =
      PointEntry.demandDriven(
              "spill.flush",
              "Spillway ends a segment of a spill and flushes codec and cipher, or a Spark sorter"
                  + " ends its file",
              "the segment does not count and the task fails, since 0.1; Spark fails the task")
          .at(
              new Seam(
                  SPILLWAY + "SegmentWriter",
                  "finish",
                  "()Lio/spillway/memory/spill/SpillSegment;"),
              new Seam(SPARK + "UnsafeSorterSpillWriter", "close", "()V"))
          .carrying(Fault.DiskFull.ID, Fault.CallError.ID, Fault.Interrupt.ID, Fault.Delay.ID);

  static final PointEntry READ =
      PointEntry.demandDriven(
              "spill.read",
              "Spillway reads stored bytes of a spill, below codec and cipher, or a Spark sorter"
                  + " reads one row",
              "fails the task; Spillway's checksums find what is damaged, since 0.1")
          .at(
              new Seam(SPILLWAY + "SpillInput", "read", "([BII)I"),
              new Seam(SPARK + "UnsafeSorterSpillReader", "loadNext", "()V"))
          .carrying(
              Fault.CallError.ID,
              Fault.TruncatedRead.ID,
              Fault.FlippedByte.ID,
              Fault.Interrupt.ID,
              Fault.Delay.ID);

  /** Spillway's alone: a file that Spark cannot delete it logs, and no exception is in its way. */
  static final PointEntry DELETE =
      PointEntry.demandDriven(
              "spill.delete",
              "Spillway has closed and deleted one file of a spill, and is told that it failed",
              "logged, the job goes on, since 0.1")
          .at(new Seam(SPILLWAY + "SpillPart", "close", "()V"))
          .carrying(Fault.CallError.ID, Fault.Delay.ID);

  static final PointEntry CLOSE =
      PointEntry.demandDriven(
              "spill.close",
              "Spillway has closed a spill with all its files, or a Spark sorter its reader, and is"
                  + " told that it failed",
              "the operator's other resources are closed all the same and the task fails, since"
                  + " 0.1; Spark fails the task")
          .at(
              new Seam(SPILLWAY + "SpillFile", "close", "()V"),
              new Seam(SPARK + "UnsafeSorterSpillReader", "close", "()V"))
          .carrying(Fault.CallError.ID, Fault.Delay.ID);

  private SpillEntries() {}
}
