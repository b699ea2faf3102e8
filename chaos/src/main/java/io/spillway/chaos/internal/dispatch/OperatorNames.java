package io.spillway.chaos.internal.dispatch;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.regex.Pattern;

/** Finds what an operator calls itself. */
final class OperatorNames {
  /** The identity hash in {@code Object.toString}: an id that differs from run to run. */
  private static final Pattern IDENTITY = Pattern.compile("@[0-9a-f]{1,8}$");

  private static final ClassValue<Handle> NAME_METHODS =
      new ClassValue<>() {
        @Override
        protected Handle computeValue(Class<?> type) {
          try {
            MethodHandle name =
                MethodHandles.publicLookup()
                    .findVirtual(type, "name", MethodType.methodType(String.class))
                    .asType(MethodType.methodType(String.class, Object.class));
            return new Handle(name);
          } catch (NoSuchMethodException | IllegalAccessException e) {
            return new Handle(null);
          }
        }
      };

  private OperatorNames() {}

  /**
   * Its {@code name()} where it has a public one, else its text without an identity hash. The name
   * of its class where it fails at telling: an operator's own defect is no reason to disarm.
   */
  static String of(Object operator) {
    if (operator == null) {
      return null;
    }
    try {
      return told(operator);
    } catch (RuntimeException e) {
      return operator.getClass().getName();
    }
  }

  private static String told(Object operator) {
    MethodHandle name = NAME_METHODS.get(operator.getClass()).method();
    if (name != null) {
      try {
        return (String) name.invokeExact(operator);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException("an operator's name() failed", e);
      }
    }
    return IDENTITY.matcher(String.valueOf(operator)).replaceFirst("");
  }

  /** Method may be null: the class has no such method. */
  private record Handle(MethodHandle method) {}
}
