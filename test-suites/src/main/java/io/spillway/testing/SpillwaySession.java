package io.spillway.testing;

import io.spillway.testing.internal.SessionResolver;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * The Spark that a class's {@link FaultSweep} and {@link ChaosTest} methods get. It is started when
 * the class first needs it and stopped when the class has ended. Without the annotation its
 * defaults hold. There is one Spark in a JVM, so where JUnit runs classes in parallel such a class
 * runs alone.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@ResourceLock(Resources.GLOBAL)
@ExtendWith(SessionResolver.class)
public @interface SpillwaySession {

  /**
   * A local master: faults are injected into this JVM. With one task at a time calls are counted
   * alike in each run; without the second figure Spark retries nothing.
   */
  String master() default "local[1,4]";

  /** {@code spark.memory.offHeap.size}; empty: off. */
  String offHeap() default "64m";

  /** Whether Spillway's plugin is in. */
  boolean plugin() default true;

  /** {@code spark.sql.shuffle.partitions}. */
  int shufflePartitions() default 2;

  /** Other settings, each as {@code key=value}. */
  String[] conf() default {};

  /** Threads that the job may leave running, by the beginning of their names. */
  String[] allowedThreads() default {};
}
