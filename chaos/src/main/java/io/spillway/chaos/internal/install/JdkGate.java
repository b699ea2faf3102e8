package io.spillway.chaos.internal.install;

import io.spillway.chaos.internal.dispatch.JdkPoints;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * Puts the one class that the JDK's classes can see onto the bootstrap class path, and tells it
 * whom to call. The class stays there for the life of the JVM; closed, it calls nobody.
 */
final class JdkGate {
  /** Named and not linked to: the agent's own class path has a class of that name, too. */
  static final String NAME = "io.spillway.chaos.bootstrap.BootstrapGate";

  private JdkGate() {}

  /** Whether the JDK's classes can see the gate. */
  static boolean isThere() {
    try {
      return Class.forName(NAME, false, null) != null;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /**
   * Opens the gate.
   *
   * @throws IOException if the class cannot be put there
   * @throws ReflectiveOperationException if what is there is another class of that name
   */
  static void open(Instrumentation instrumentation)
      throws IOException, ReflectiveOperationException {
    if (!isThere()) {
      append(instrumentation);
    }
    JdkPoints.open();
    set(JdkPoints::direct, JdkPoints::unsafe);
  }

  /** Closes the gate, if it was ever opened. */
  static void close() {
    if (isThere()) {
      try {
        set(null, null);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("the gate of the JDK's points cannot be closed", e);
      }
    }
    JdkPoints.close();
  }

  private static void set(LongConsumer direct, LongConsumer unsafe)
      throws ReflectiveOperationException {
    Class<?> gate = Class.forName(NAME, true, null);
    gate.getField("direct").set(null, direct);
    gate.getField("unsafe").set(null, unsafe);
  }

  private static void append(Instrumentation instrumentation)
      throws IOException, ReflectiveOperationException {
    String file = NAME.replace('.', '/') + ".class";
    Path jar = Files.createTempFile("spillway-chaos-gate", ".jar");
    try {
      try (InputStream in = JdkGate.class.getResourceAsStream("/" + file);
          JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
        if (in == null) {
          throw new IOException("the agent's jar lacks " + file);
        }
        out.putNextEntry(new JarEntry(file));
        in.transferTo(out);
      }
      try (JarFile appended = new JarFile(jar.toFile())) {
        instrumentation.appendToBootstrapClassLoaderSearch(appended);
      }
      Class<?> unused = Class.forName(NAME, true, null);
    } finally {
      // The JVM has read what it needs.
      Files.deleteIfExists(jar);
    }
  }
}
