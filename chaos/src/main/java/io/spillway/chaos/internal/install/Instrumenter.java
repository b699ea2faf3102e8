package io.spillway.chaos.internal.install;

import io.spillway.chaos.Seam;
import io.spillway.chaos.internal.dispatch.Console;
import io.spillway.chaos.internal.dispatch.FaultEngine;
import io.spillway.chaos.internal.dispatch.JdkPoints;
import io.spillway.chaos.internal.dispatch.PointState;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.stream.Stream;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.AgentBuilder.DescriptionStrategy;
import net.bytebuddy.agent.builder.AgentBuilder.RedefinitionStrategy;
import net.bytebuddy.agent.builder.ResettableClassFileTransformer;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import net.bytebuddy.utility.JavaModule;

/** Changes the seams of the armed points, loaded already or to be loaded, and changes them back. */
final class Instrumenter {
  /** Loaded by a JVM of Spark's when it makes its first task. */
  private static final String FIRST_TASK = "org.apache.spark.TaskContextImpl";

  private final Instrumentation instrumentation;
  private final ResettableClassFileTransformer transformer;

  private Instrumenter(
      Instrumentation instrumentation, ResettableClassFileTransformer transformer) {
    this.instrumentation = instrumentation;
    this.transformer = transformer;
  }

  static Instrumenter install(FaultEngine engine, Instrumentation instrumentation) {
    List<PointState> armed = engine.points().stream().filter(PointState::armed).toList();
    List<Observer> observers = Observer.all();
    boolean jdk = armed.stream().anyMatch(Instrumenter::isJdk) && openGate(armed, instrumentation);
    // The nexus would put a Byte Buddy class into the system loader; without class format changes
    // nothing needs it.
    System.setProperty("net.bytebuddy.nexus.disabled", "true");
    AgentBuilder builder =
        new AgentBuilder.Default()
            .disableClassFormatChanges()
            .with(RedefinitionStrategy.RETRANSFORMATION)
            .with(new Retransformations(armed, observers))
            .with(DescriptionStrategy.Default.POOL_ONLY)
            .with(new Failures(armed, observers))
            .ignore(
                ElementMatchers.not(
                    anySeam(armed, observers).or(ElementMatchers.named(FIRST_TASK))));
    for (Observer observer : observers) {
      builder = builder.type(ElementMatchers.named(observer.className())).transform(observer);
    }
    if (jdk) {
      // Changes nothing: it tells that Spark makes its first task, and where Spark is.
      builder =
          builder
              .type(ElementMatchers.named(FIRST_TASK))
              .transform(
                  (unchanged, type, loader, module, domain) -> {
                    JdkPoints.sparkIsLoadedBy(loader);
                    return unchanged;
                  });
    }
    for (PointState point : armed) {
      // A class with the seams of two points gets both: Byte Buddy applies every match in turn.
      if (isJdk(point) && !jdk) {
        continue;
      }
      for (Seam seam : point.point().seams()) {
        builder =
            builder
                .type(ElementMatchers.named(seam.className()))
                .transform(new SeamTransformer(point, seam));
      }
    }
    try {
      return new Instrumenter(instrumentation, builder.installOn(instrumentation));
    } catch (RuntimeException | Error e) {
      // Nobody will have an instrumenter to close it with.
      JdkGate.close();
      throw e;
    }
  }

  private static boolean isJdk(PointState state) {
    return state.point().seams().get(0).isJdk();
  }

  private static boolean openGate(List<PointState> armed, Instrumentation instrumentation) {
    try {
      JdkGate.open(instrumentation);
      return true;
    } catch (IOException | ReflectiveOperationException e) {
      armed.stream()
          .filter(Instrumenter::isJdk)
          .forEach(state -> state.disarm("the JDK's classes are out of reach: " + e));
      return false;
    }
  }

  /** Gives every class its own code back; false if that failed for one. */
  boolean uninstall() {
    JdkGate.close();
    Retransformations failures = new Retransformations(List.of(), List.of());
    boolean reset =
        transformer.reset(
            instrumentation,
            RedefinitionStrategy.RETRANSFORMATION,
            RedefinitionStrategy.BatchAllocator.ForTotal.INSTANCE,
            failures);
    if (!reset || failures.failed) {
      Console.say("a class could not be given its own code back; its points pass without effect");
    }
    return reset && !failures.failed;
  }

  private static ElementMatcher.Junction<TypeDescription> anySeam(
      List<PointState> armed, List<Observer> observers) {
    Stream<String> seams =
        armed.stream().flatMap(point -> point.point().seams().stream()).map(Seam::className);
    return ElementMatchers.namedOneOf(
        Stream.concat(seams, observers.stream().map(Observer::className))
            .distinct()
            .toArray(String[]::new));
  }

  /** A seam that cannot be changed disarms its points, and nothing else. */
  private static final class Failures extends AgentBuilder.Listener.Adapter {
    private final List<PointState> armed;
    private final List<Observer> observers;

    Failures(List<PointState> armed, List<Observer> observers) {
      this.armed = armed;
      this.observers = observers;
    }

    @Override
    public void onError(
        String typeName,
        ClassLoader loader,
        JavaModule module,
        boolean loaded,
        Throwable throwable) {
      disarm(armed, observers, typeName, throwable);
    }
  }

  private static void disarm(
      List<PointState> armed, List<Observer> observers, String typeName, Throwable failure) {
    for (PointState state : armed) {
      if (state.point().seams().stream().anyMatch(seam -> seam.className().equals(typeName))) {
        state.disarm(typeName + " could not be changed: " + failure);
      }
    }
    if (observers.stream().anyMatch(observer -> observer.className().equals(typeName))) {
      Observer.missed(typeName + " could not be changed: " + failure);
    }
  }

  /**
   * Classes that are loaded already are changed together. If the JVM refuses, each is tried alone,
   * so that one class disarms its own points only.
   */
  private static final class Retransformations extends RedefinitionStrategy.Listener.Adapter {
    private final List<PointState> armed;
    private final List<Observer> observers;
    private boolean failed;

    Retransformations(List<PointState> armed, List<Observer> observers) {
      this.armed = armed;
      this.observers = observers;
    }

    @Override
    public Iterable<? extends List<Class<?>>> onError(
        int index, List<Class<?>> batch, Throwable throwable, List<Class<?>> types) {
      if (batch.size() > 1) {
        return batch.stream().<List<Class<?>>>map(List::of).toList();
      }
      failed = true;
      batch.forEach(type -> disarm(armed, observers, type.getName(), throwable));
      return List.of();
    }
  }
}
