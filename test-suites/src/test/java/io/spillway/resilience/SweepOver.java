package io.spillway.resilience;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The native operators whose every call a sweep lets fail. */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface SweepOver {
  /** Physical operators that hold state. */
  Class<?>[] value();
}
