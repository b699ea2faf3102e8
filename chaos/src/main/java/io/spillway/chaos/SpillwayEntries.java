package io.spillway.chaos;

import java.util.List;

/** The catalogue's entries for Spillway's own seams, but for its spill files. */
final class SpillwayEntries {
  private static final String KERNELS = "io.spillway.kernel.Kernels";
  private static final String EXCHANGE_KERNELS = "io.spillway.kernel.ExchangeKernels";
  private static final String FRAME_KERNELS = "io.spillway.kernel.FrameKernels";
  private static final String ROWS_KERNELS = "io.spillway.kernel.RowsKernels";
  private static final String SORT_KERNELS = "io.spillway.kernel.SortKernels";
  private static final String JOIN_KERNELS = "io.spillway.kernel.JoinKernels";
  private static final String WINDOW_KERNELS = "io.spillway.kernel.WindowKernels";

  /** Run once for each batch or column; all others are repeated when memory is short. */
  private static final List<String> BATCH_KERNELS =
      List.of(
          "eval", "select", "take", "rowsToColumns", "dictionary", "strings", "decimals", "widen");

  static final PointEntry NATIVE_ALLOC =
      PointEntry.demandDriven(
              "native.alloc",
              "Spillway takes a native block",
              "Spillway's pressure ladder, since 0.1")
          .at(new Seam("io.spillway.memory.PageSource", "allocate", "(J)J"))
          .carrying(Fault.OutOfMemory.ID, Fault.Delay.ID);

  static final PointEntry NATIVE_REGISTER =
      PointEntry.demandDriven(
              "native.register",
              "Spillway has a native block and is about to enter it into its ledger",
              "Spillway gives block and reservation back and fails the task, since 0.1")
          .namingOperator()
          .at(
              new Seam(
                  "io.spillway.memory.LedgeredBlock",
                  "<init>",
                  "(Lio/spillway/memory/BlockHolder;JJLjava/lang/Throwable;)V"))
          .carrying(Fault.CallError.ID, Fault.OutOfMemory.ID);

  static final PointEntry KERNEL_CALL =
      PointEntry.dataDriven(
              "kernel.call",
              "Spillway calls a native kernel that works on the columns of a batch",
              "fails the task, since 0.1")
          .at(
              new Seam(KERNELS, "eval", "(J)J"),
              new Seam(KERNELS, "select", "(JJIJ)J"),
              new Seam(KERNELS, "take", "(JJIJI)J"),
              new Seam(KERNELS, "rowsToColumns", "(J)J"),
              new Seam(KERNELS, "dictionary", "(IJIJJIJ)J"),
              new Seam(KERNELS, "strings", "(JJJJJIJ)J"),
              new Seam(KERNELS, "decimals", "(JJJJJIJ)J"),
              new Seam(KERNELS, "widen", "(IJIJ)J"),
              new Seam(EXCHANGE_KERNELS, "hash", "(JIIIJ)J"))
          .carrying(Fault.CallError.ID, Fault.Delay.ID);

  static final PointEntry KERNEL_STATE =
      PointEntry.demandDriven(
              "kernel.state",
              "Spillway calls a native kernel that works on an operator's state or its output",
              "fails the task, since 0.1")
          .at(
              Seam.everyStatic(KERNELS, "J", BATCH_KERNELS),
              Seam.everyStatic(EXCHANGE_KERNELS, "J", List.of("hash")),
              Seam.everyStatic(FRAME_KERNELS, "J", List.of()),
              // All of them: rows that were spilled are hashed and spread again.
              Seam.everyStatic(ROWS_KERNELS, "J", List.of()),
              Seam.everyStatic(SORT_KERNELS, "J", List.of()),
              Seam.everyStatic(JOIN_KERNELS, "J", List.of()),
              Seam.everyStatic(WINDOW_KERNELS, "J", List.of()))
          .carrying(Fault.CallError.ID, Fault.Delay.ID);

  private SpillwayEntries() {}
}
