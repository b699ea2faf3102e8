package io.spillway.chaos.internal.install;

import io.spillway.chaos.Seam;
import java.util.stream.Collectors;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.method.MethodList;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.matcher.ElementMatcher;

/** Finds a seam's methods in the class as it is, and says what is wrong with them. */
final class SeamMatch {
  private SeamMatch() {}

  /** The methods that the advice goes into. */
  static ElementMatcher.Junction<MethodDescription> methods(Seam seam) {
    return new ElementMatcher.Junction.ForNonNullValues<>() {
      @Override
      protected boolean doMatch(MethodDescription method) {
        return seam.isFamily()
            ? method.isPublic()
                && method.isStatic()
                && !seam.except().contains(method.getInternalName())
                && method.getReturnType().asErasure().getDescriptor().equals(seam.result())
            : method.getInternalName().equals(seam.method())
                && method.getDescriptor().equals(seam.descriptor());
      }
    };
  }

  /** What keeps the seam from being changed, or null. */
  static String problem(TypeDescription type, Seam seam) {
    MethodList<MethodDescription.InDefinedShape> expected =
        type.getDeclaredMethods().filter(methods(seam));
    if (expected.isEmpty()) {
      return "expected " + seam + ", found " + found(type, seam);
    }
    for (MethodDescription method : expected) {
      if (method.isAbstract() || method.isNative()) {
        // Advice has no code to go into, and Byte Buddy would pass over it without a word.
        return method.getInternalName()
            + method.getDescriptor()
            + " of "
            + seam.className()
            + " is "
            + (method.isNative() ? "native" : "abstract");
      }
    }
    return null;
  }

  private static String found(TypeDescription type, Seam seam) {
    String sameName =
        type.getDeclaredMethods().stream()
            .filter(method -> method.getInternalName().equals(seam.method()))
            .map(method -> method.getInternalName() + method.getDescriptor())
            .collect(Collectors.joining(", "));
    return sameName.isEmpty() ? "no method of that name" : sameName;
  }
}
