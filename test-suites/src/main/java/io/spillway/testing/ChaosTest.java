package io.spillway.testing;

import io.spillway.testing.internal.ResilienceExtension;
import io.spillway.testing.internal.SessionResolver;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
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
 * Runs a method under a fault plan, once for each seed, after a run without faults that tells the
 * right result. What must hold afterwards, and what the method may take, is as for {@link
 * FaultSweep}. A rule that no seed made fire fails the test.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@TestTemplate
@Tag("chaos")
@Execution(ExecutionMode.SAME_THREAD)
@ResourceLock(Resources.GLOBAL)
@ExtendWith({ResilienceExtension.class, SessionResolver.class})
public @interface ChaosTest {

  /** One invocation for each, in place of the plan's seed; at least one. */
  long[] seed() default 1;

  /**
   * The plan's file, or a resource on the class path. Either this or {@link #rules()}. It must not
   * be a dry run.
   */
  String plan() default "";

  /** The plan's rules, each in YAML's flow style. */
  String[] rules() default {};

  /** Numbers of rules, from 1, that need not fire. */
  int[] rare() default {};

  /** As {@link FaultSweep#failsWith()}. */
  Class<? extends Throwable>[] failsWith() default {};

  /** As {@link FaultSweep#message()}. */
  String message() default "";
}
