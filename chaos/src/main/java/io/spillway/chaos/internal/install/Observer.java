package io.spillway.chaos.internal.install;

import io.spillway.chaos.FaultPoint;
import io.spillway.chaos.Seam;
import io.spillway.chaos.internal.advice.CleanUpObserverAdvice;
import io.spillway.chaos.internal.advice.CompletionObserverAdvice;
import io.spillway.chaos.internal.advice.TaskObserverAdvice;
import io.spillway.chaos.internal.dispatch.Console;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.utility.JavaModule;

/**
 * Where the agent only looks on: the start of a task's body, its end, and Spark's clean-up after
 * it. A seam that is not as expected leaves a gap in the report and nothing else.
 */
final class Observer implements AgentBuilder.Transformer {
  private final Seam seam;
  private final Class<?> advice;

  private Observer(Seam seam, Class<?> advice) {
    this.seam = seam;
    this.advice = advice;
  }

  /** One for each seam. */
  static List<Observer> all() {
    List<Observer> all = new ArrayList<>();
    for (Seam body : FaultPoint.TASK_START.seams()) {
      all.add(new Observer(body, TaskObserverAdvice.class));
    }
    all.add(
        new Observer(
            new Seam("org.apache.spark.TaskContextImpl", "markTaskCompleted", "(Lscala/Option;)V"),
            CompletionObserverAdvice.class));
    all.add(
        new Observer(
            new Seam(
                "org.apache.spark.memory.TaskMemoryManager", "cleanUpAllAllocatedMemory", "()J"),
            CleanUpObserverAdvice.class));
    return all;
  }

  /** Says that the report will have a gap, and why. */
  static void missed(String why) {
    Console.say("how attempts end is not recorded: " + why);
  }

  String className() {
    return seam.className();
  }

  @Override
  public DynamicType.Builder<?> transform(
      DynamicType.Builder<?> builder,
      TypeDescription type,
      ClassLoader loader,
      JavaModule module,
      ProtectionDomain domain) {
    String problem = SeamMatch.problem(type, seam);
    if (problem != null || !SeamTransformer.seesDispatcher(loader)) {
      missed(problem != null ? problem : seam.className() + " cannot see the agent's classes");
      return builder;
    }
    return builder.visit(Advice.to(advice).on(SeamMatch.methods(seam)));
  }
}
