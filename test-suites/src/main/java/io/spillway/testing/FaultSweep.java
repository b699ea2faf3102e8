package io.spillway.testing;

import io.spillway.chaos.FaultPoint;
import io.spillway.testing.internal.ResilienceExtension;
import io.spillway.testing.internal.SessionResolver;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * Runs a method once for each call that its job makes at some fault points, and lets that call
 * fail. The first invocation runs it without a fault, twice, counts the calls and keeps the result;
 * then one invocation follows for each call. Whatever the fault, the job must succeed with the same
 * result or fail cleanly, leave nothing behind, and run well in the same session right after: the
 * method is run once more for that. So it must be repeatable.
 *
 * <p>The method takes a {@code SparkSession}, a {@link FaultReport} and a {@code ChaosController}
 * if it wants, in any order; {@link FaultReport#result} is how its results get compared. On a class
 * it takes the place of the annotation on methods that the class inherits, such as that of {@link
 * ResilienceSuite}.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@TestTemplate
@Tag("chaos")
@Execution(ExecutionMode.SAME_THREAD)
@ResourceLock(Resources.GLOBAL)
@ExtendWith({ResilienceExtension.class, SessionResolver.class})
public @interface FaultSweep {

  /**
   * The points at which calls fail. The job must come to each, unless it is {@link #rare()}. None:
   * all that can fail in the JVM of a test, as far as the job comes to them.
   */
  FaultPoint[] point() default {};

  /** How long each fault lasts; at least one. */
  SweepMode[] mode() default SweepMode.ONE_SHOT;

  /**
   * The faults, as in a plan: {@code "out-of-memory"}, {@code "{short-grant: {share: 0.5}}"}. Each
   * is tried at the points that can carry it; a point that is named must be able to carry one.
   * None: the gravest one of each point.
   */
  String[] fault() default {};

  /** The most invocations with a fault. If there are more calls, some are drawn. */
  int max() default 100;

  /** How many calls are drawn if there are more than {@link #max()}; 0: as many as that. */
  int sample() default 0;

  /**
   * Decides which calls are drawn: of each point, stage and operator the first, the last, others.
   */
  long seed() default 1;

  /** Points of {@link #point()} that the job need not come to. */
  FaultPoint[] rare() default {};

  /**
   * What a job that fails may fail with, as the cause on the driver or named in its message. None:
   * the injected fault itself, and what Spark and Spillway make of the fault, as memory that is
   * refused becomes a {@code SparkOutOfMemoryError}.
   */
  Class<? extends Throwable>[] failsWith() default {};

  /** What the message of a job that fails must contain. */
  String message() default "";
}
