package io.spillway.chaos;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.concurrent.atomic.AtomicReference;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;

/** Reads the code that the JVM runs for a class, by asking for its retransformation. */
final class ClassBytes {
  private ClassBytes() {}

  /**
   * The same code with its constants in the order of their use and without stack maps: whatever the
   * JVM redefines gets its constants in an order of the JVM's own, and classes that it does not
   * verify lose their stack maps.
   */
  private static byte[] inOrder(byte[] file) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(file).accept(writer, ClassReader.SKIP_FRAMES);
    return writer.toByteArray();
  }

  /** The class file as text, good enough to compare and to look for names in its constant pool. */
  static String of(Class<?> type) throws Exception {
    AtomicReference<byte[]> seen = new AtomicReference<>();
    ClassFileTransformer reader =
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader,
              String name,
              Class<?> redefined,
              ProtectionDomain domain,
              byte[] bytes) {
            if (type == redefined) {
              seen.set(bytes);
            }
            return null;
          }
        };
    Instrumentation instrumentation = ByteBuddyAgent.install();
    instrumentation.addTransformer(reader, true);
    try {
      instrumentation.retransformClasses(type);
    } finally {
      instrumentation.removeTransformer(reader);
    }
    return new String(inOrder(seen.get()), StandardCharsets.ISO_8859_1);
  }
}
