package io.spillway.chaos;

/** The catalogue's entries for the memory seams of other native engines. */
final class EngineEntries {
  static final PointEntry COMET_ACQUIRE =
      PointEntry.demandDriven(
              "comet.acquire",
              "Comet's native memory pool asks Spark for execution memory",
              "Comet 0.12.0: its operator spills, or the task fails")
          .at(new Seam("org.apache.spark.CometTaskMemoryManager", "acquireMemory", "(J)J"))
          .carrying(Fault.ShortGrant.ID, Fault.Delay.ID);

  static final PointEntry GLUTEN_RESERVE =
      PointEntry.demandDriven(
              "gluten.reserve",
              "Gluten's native memory pool asks Spark for execution memory",
              "not known")
          .unverified()
          .at(
              new Seam(
                  "org.apache.gluten.memory.listener.ManagedReservationListener",
                  "reserve",
                  "(J)J"))
          .carrying(Fault.ShortGrant.ID, Fault.Delay.ID);

  static final PointEntry RAPIDS_ALLOC =
      PointEntry.demandDriven(
              "rapids.alloc",
              "the RAPIDS accelerator's Java side takes a block of device memory",
              "not known: its retry blocks are made for it")
          .unverified()
          .at(
              new Seam(
                  "ai.rapids.cudf.Rmm",
                  "alloc",
                  "(JLai/rapids/cudf/Cuda$Stream;)Lai/rapids/cudf/DeviceMemoryBuffer;"))
          .carrying(Fault.OutOfMemory.ID, Fault.Delay.ID);

  private EngineEntries() {}
}
