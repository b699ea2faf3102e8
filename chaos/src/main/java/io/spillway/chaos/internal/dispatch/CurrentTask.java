package io.spillway.chaos.internal.dispatch;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.implementation.MethodCall;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.matcher.ElementMatchers;

/**
 * What every call of every point asks Spark: which task the thread works for, and whether its body
 * has ended. A class is made for each Spark that is met, which calls it as code of its own would:
 * method handles that are no constants take several times as long.
 *
 * <p>Public because that class is made in another loader. Any thread.
 */
public interface CurrentTask {
  /** The task context of this thread, or null outside a task. */
  Object get();

  /** Whether the task's body has ended, so that only its clean-up still runs. */
  boolean isCompleted(Object task);

  /**
   * Makes it for a Spark.
   *
   * @param context Spark's {@code TaskContext}, of a loader that has the agent's as an ancestor
   * @throws ReflectiveOperationException if the class cannot be made; whether Spark has the methods
   *     shows at the first call, which fails with a {@link LinkageError} if not
   */
  static CurrentTask of(Class<?> context) throws ReflectiveOperationException {
    // By name: asking the class for its methods loads every type that any of them names, and the
    // call that brought us here may come from the loading of one of those.
    TypeDescription spark =
        new TypeDescription.Latent(
            context.getName(),
            context.getModifiers(),
            TypeDescription.Generic.OfNonGenericType.ForLoadedType.of(Object.class));
    MethodDescription get =
        new MethodDescription.Latent(
            spark,
            new MethodDescription.Token(
                "get", Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, spark.asGenericType()));
    MethodDescription isCompleted =
        new MethodDescription.Latent(
            spark,
            new MethodDescription.Token(
                "isCompleted",
                Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT,
                TypeDescription.Generic.OfNonGenericType.ForLoadedType.of(boolean.class)));
    return new ByteBuddy()
        .subclass(Object.class)
        .name(CurrentTask.class.getName() + "OfSpark")
        .implement(CurrentTask.class)
        .method(ElementMatchers.named("get"))
        .intercept(MethodCall.invoke(get))
        .method(ElementMatchers.named("isCompleted"))
        .intercept(
            MethodCall.invoke(isCompleted)
                .onArgument(0)
                .withAssigner(Assigner.DEFAULT, Assigner.Typing.DYNAMIC))
        .make()
        .load(context.getClassLoader(), ClassLoadingStrategy.Default.WRAPPER)
        .getLoaded()
        .asSubclass(CurrentTask.class)
        .getConstructor()
        .newInstance();
  }
}
