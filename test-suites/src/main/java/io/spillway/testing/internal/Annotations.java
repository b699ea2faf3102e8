package io.spillway.testing.internal;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.Optional;
import org.junit.platform.commons.support.AnnotationSupport;

/** Finds annotations, on other annotations too. */
final class Annotations {
  private Annotations() {}

  static <A extends Annotation> Optional<A> find(AnnotatedElement element, Class<A> type) {
    return AnnotationSupport.findAnnotation(element, type);
  }
}
