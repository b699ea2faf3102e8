package io.spillway.chaos;

import io.spillway.memory.PageSource;

/** The program of a JVM of its own without a Spark job: only the agent and the seams. */
public final class SeamsAlone {
  private SeamsAlone() {}

  /** Loads the classes named, calls a seam until it fails, and once more when detached. */
  @SuppressWarnings("SystemOut")
  public static void main(String[] classes) throws Exception {
    System.out.println("java " + Runtime.version().feature());
    for (String name : classes) {
      var unused = Class.forName(name, false, SeamsAlone.class.getClassLoader());
    }
    ask();
    ask();
    ask();
    ChaosController chaos = ChaosAgent.current().orElseThrow();
    for (PointStatus point : chaos.points()) {
      System.out.println(
          point.point() + " instrumented " + point.instrumented() + point.reason().orElse(""));
    }
    System.out.println("detached " + ChaosAgent.uninstall());
    System.out.println("restored " + chaos.installation().restored());
    ask();
  }

  @SuppressWarnings("SystemOut")
  private static void ask() {
    try {
      System.out.println("granted " + new PageSource().allocate(1));
    } catch (OutOfMemoryError e) {
      System.out.println("denied " + e.getMessage().contains("injected"));
    }
  }
}
