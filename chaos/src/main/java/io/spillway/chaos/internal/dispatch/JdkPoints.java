package io.spillway.chaos.internal.dispatch;

/**
 * The points in classes of the JDK, which know no Spark: they count from the moment at which the
 * JVM makes its first task, so that nothing of the JVM's own start is hit. Any thread.
 */
public final class JdkPoints {
  private static final String HOME = "org.apache.spark.TaskContext";

  /** The loader of Spark's classes, once a task is being made. */
  private static volatile ClassLoader spark;

  private static volatile Class<?> home;

  private JdkPoints() {}

  /** The points are armed. */
  public static void open() {
    OwnCalls.watch(true);
  }

  /** No point is armed any more. */
  public static void close() {
    OwnCalls.watch(false);
    spark = null;
    home = null;
  }

  /** Spark's classes are loaded by that loader, and its first task is being made. */
  public static void sparkIsLoadedBy(ClassLoader loader) {
    spark = loader;
  }

  /** A direct buffer is about to be reserved. */
  public static void direct(long bytes) {
    Class<?> seam = seam();
    if (seam != null) {
      Dispatcher.jdkDirect(seam, bytes);
    }
  }

  /** A block is about to be allocated. */
  public static void unsafe(long bytes) {
    Class<?> seam = seam();
    if (seam != null) {
      Dispatcher.jdkUnsafe(seam, bytes);
    }
  }

  /** A class of Spark's in the place of the JDK's, or null if the call does not count. */
  private static Class<?> seam() {
    ClassLoader loader = spark;
    if (loader == null || OwnCalls.isInside()) {
      return null;
    }
    Class<?> known = home;
    return known != null ? known : find(loader);
  }

  private static Class<?> find(ClassLoader loader) {
    boolean entered = OwnCalls.enter();
    try {
      home = Class.forName(HOME, false, loader);
      return home;
    } catch (ClassNotFoundException | LinkageError e) {
      spark = null;
      Console.say("the points of the JDK stay quiet: no " + HOME + " where there was a task: " + e);
      return null;
    } finally {
      if (entered) {
        OwnCalls.leave();
      }
    }
  }
}
