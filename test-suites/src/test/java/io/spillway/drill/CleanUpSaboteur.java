package io.spillway.drill;

import static net.bytebuddy.matcher.ElementMatchers.named;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;

/**
 * An agent that breaks Spillway's clean-up on purpose: operators, the scope's completion listener
 * and its backstop do nothing any more. What tasks hold at their end then stays allocated, and the
 * drill must find it.
 */
public final class CleanUpSaboteur {
  private CleanUpSaboteur() {}

  /** Called by the JVM before its main class. */
  public static void premain(String argument, Instrumentation instrumentation) {
    new AgentBuilder.Default()
        .disableClassFormatChanges()
        .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
        .type(named("io.spillway.memory.TaskMemory"))
        .transform(
            (builder, type, loader, module, domain) ->
                builder.visit(
                    Advice.to(Skip.class).on(named("close").or(named("closeWithoutSpark")))))
        .type(named("io.spillway.memory.OperatorMemory"))
        .transform(
            (builder, type, loader, module, domain) ->
                builder.visit(Advice.to(Skip.class).on(named("close"))))
        .type(named("io.spillway.memory.NativeBlock"))
        .transform(
            (builder, type, loader, module, domain) ->
                builder.visit(Advice.to(Skip.class).on(named("close"))))
        .installOn(instrumentation);
  }

  /** Leaves out the body of the method that it is put into, which then answers null or nothing. */
  public static final class Skip {
    private Skip() {}

    /** Anything but null or false leaves out the body. */
    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    public static boolean enter() {
      return true;
    }
  }

  /** Writes the agent's jar. It finds Byte Buddy where this JVM has it. */
  static Path jar(Path directory) throws IOException {
    Path byteBuddy = whereIs(AgentBuilder.class);
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(new Attributes.Name("Premain-Class"), CleanUpSaboteur.class.getName());
    attributes.put(new Attributes.Name("Can-Retransform-Classes"), "true");
    attributes.put(Attributes.Name.CLASS_PATH, byteBuddy.toUri().getRawPath());
    Path jar = directory.resolve("saboteur.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      for (Class<?> type : new Class<?>[] {CleanUpSaboteur.class, Skip.class}) {
        String name = type.getName().replace('.', '/') + ".class";
        out.putNextEntry(new JarEntry(name));
        try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
          in.transferTo(out);
        }
        out.closeEntry();
      }
    }
    return jar;
  }

  private static Path whereIs(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (java.net.URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
