package io.spillway.chaos.internal.install;

import io.spillway.chaos.Seam;
import io.spillway.chaos.internal.advice.MemoryAcquireAdvice;
import io.spillway.chaos.internal.advice.NativeAllocAdvice;
import io.spillway.chaos.internal.advice.SpillWriteAdvice;
import io.spillway.chaos.internal.advice.TaskBatchAdvice;
import io.spillway.chaos.internal.dispatch.Dispatcher;
import io.spillway.chaos.internal.dispatch.PointState;
import java.security.ProtectionDomain;
import java.util.stream.Collectors;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.method.MethodList;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.matcher.ElementMatchers;
import net.bytebuddy.utility.JavaModule;

/**
 * Puts one point's advice into its seam, if the seam is what the catalogue expects. If not, the
 * point is disarmed and the class stays as it is: a guess would inject into the wrong method.
 */
final class SeamTransformer implements AgentBuilder.Transformer {
  private final PointState state;

  SeamTransformer(PointState state) {
    this.state = state;
  }

  @Override
  public DynamicType.Builder<?> transform(
      DynamicType.Builder<?> builder,
      TypeDescription type,
      ClassLoader loader,
      JavaModule module,
      ProtectionDomain domain) {
    String problem = problem(type, loader);
    if (problem != null) {
      state.disarm(problem);
      return builder;
    }
    state.setInstrumented();
    Seam seam = state.point().seam();
    return builder.visit(
        Advice.to(advice())
            .on(
                ElementMatchers.<MethodDescription>named(seam.method())
                    .and(ElementMatchers.hasDescriptor(seam.descriptor()))));
  }

  private Class<?> advice() {
    return switch (state.point()) {
      case MEMORY_ACQUIRE -> MemoryAcquireAdvice.class;
      case NATIVE_ALLOC -> NativeAllocAdvice.class;
      case SPILL_WRITE -> SpillWriteAdvice.class;
      case TASK_BATCH -> TaskBatchAdvice.class;
    };
  }

  /** What is wrong with the seam, or null. */
  private String problem(TypeDescription type, ClassLoader loader) {
    Seam seam = state.point().seam();
    MethodList<MethodDescription.InDefinedShape> sameName =
        type.getDeclaredMethods().filter(ElementMatchers.named(seam.method()));
    MethodList<MethodDescription.InDefinedShape> expected =
        sameName.filter(ElementMatchers.hasDescriptor(seam.descriptor()));
    if (expected.isEmpty()) {
      String found =
          sameName.isEmpty()
              ? "no method of that name"
              : sameName.stream()
                  .map(method -> method.getName() + method.getDescriptor())
                  .collect(Collectors.joining(", "));
      return "expected " + seam + ", found " + found;
    }
    MethodDescription method = expected.getOnly();
    if (method.isAbstract() || method.isNative()) {
      // Advice has no code to go into, and Byte Buddy would pass over it without a word.
      return seam + " is " + (method.isNative() ? "native" : "abstract");
    }
    return seesDispatcher(loader)
        ? null
        : "the class loader of " + seam.className() + " cannot see the agent's classes";
  }

  private static boolean seesDispatcher(ClassLoader loader) {
    try {
      return Class.forName(Dispatcher.class.getName(), false, loader) == Dispatcher.class;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}
