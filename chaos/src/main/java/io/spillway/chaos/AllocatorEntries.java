package io.spillway.chaos;

/** The catalogue's entries for allocators below or beside Spark: Arrow's, netty's, the JDK's. */
final class AllocatorEntries {
  static final PointEntry ARROW_ALLOC =
      PointEntry.demandDriven(
              "arrow.alloc",
              "an Arrow allocator is asked for a buffer, Comet's own copy of Arrow included",
              "the operator that asked; Spark fails the task")
          .at(arrow("org.apache.arrow.memory"), arrow("org.apache.comet.shaded.arrow.memory"))
          .carrying(Fault.OutOfMemory.ID);

  static final PointEntry NETTY_ALLOC =
      PointEntry.demandDriven(
              "netty.alloc",
              "netty is asked for a direct buffer",
              "a network thread closes its connection, and Spark's shuffle asks again; in a task's"
                  + " thread Spark ends the executor")
          .at(
              new Seam(
                  "io.netty.buffer.AbstractByteBufAllocator",
                  "directBuffer",
                  "(II)Lio/netty/buffer/ByteBuf;"))
          .carrying(Fault.OutOfMemory.ID);

  static final PointEntry JDK_DIRECT =
      PointEntry.demandDriven(
              "jdk.direct",
              "the JDK reserves memory for a direct buffer, its own ones included",
              "whoever asked; what a task's thread lets through makes Spark end the executor")
          .at(new Seam("java.nio.Bits", "reserveMemory", "(JJ)V"))
          .carrying(Fault.OutOfMemory.ID);

  static final PointEntry JDK_UNSAFE =
      PointEntry.demandDriven(
              "jdk.unsafe",
              "a block is allocated through Unsafe, by Spark's Platform, by a direct buffer or by"
                  + " anybody else: counted here once",
              "whoever asked; what a task's thread lets through makes Spark end the executor")
          .at(new Seam("jdk.internal.misc.Unsafe", "allocateMemory", "(J)J"))
          .carrying(Fault.OutOfMemory.ID);

  private AllocatorEntries() {}

  private static Seam arrow(String name) {
    String path = name.replace('.', '/');
    return new Seam(
        name + ".BaseAllocator",
        "buffer",
        "(JL" + path + "/BufferManager;)L" + path + "/ArrowBuf;");
  }
}
