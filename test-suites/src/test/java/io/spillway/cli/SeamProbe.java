package io.spillway.cli;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.ProtectionDomain;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A second agent that looks into a JVM: writes the digest of the code that the JVM runs for some
 * classes, and the names of the threads.
 */
public final class SeamProbe {
  private SeamProbe() {}

  /** Takes {@code FILE;CLASS;CLASS}; writes {@code code NAME DIGEST} and {@code thread NAME}. */
  public static void agentmain(String argument, Instrumentation instrumentation) throws Exception {
    List<String> parts = List.of(argument.split(";", -1));
    Set<String> lines = new TreeSet<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (parts.indexOf(type.getName()) > 0) {
        lines.add("code " + type.getName() + " " + digest(type, instrumentation));
      }
    }
    Thread.getAllStackTraces().keySet().forEach(thread -> lines.add("thread " + thread.getName()));
    Files.write(Path.of(parts.get(0)), lines);
  }

  private static String digest(Class<?> type, Instrumentation instrumentation) throws Exception {
    AtomicReference<byte[]> code = new AtomicReference<>();
    ClassFileTransformer reader =
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader,
              String name,
              Class<?> redefined,
              ProtectionDomain domain,
              byte[] bytes) {
            if (redefined == type) {
              code.set(bytes);
            }
            return null;
          }
        };
    instrumentation.addTransformer(reader, true);
    try {
      instrumentation.retransformClasses(type);
    } finally {
      instrumentation.removeTransformer(reader);
    }
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(code.get()));
  }
}
