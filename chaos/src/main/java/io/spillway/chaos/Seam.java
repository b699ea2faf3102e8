package io.spillway.chaos;

import java.util.List;

/**
 * A method behind a fault point, named as the JVM names it, so that the agent compiles and loads
 * without the class.
 *
 * @param className binary name of the class
 * @param method name of the method; {@code <init>} for a constructor, {@link #EVERY} for all public
 *     static ones with the descriptor's result
 * @param descriptor JVM descriptor that the method must have; with any other the point is disarmed
 * @param except methods that {@link #EVERY} leaves out; else empty
 */
public record Seam(String className, String method, String descriptor, List<String> except) {
  /** In place of a method's name: every public static method with the descriptor's result. */
  public static final String EVERY = "*";

  /** Copies the list. */
  public Seam {
    except = List.copyOf(except);
  }

  /** One method. */
  public Seam(String className, String method, String descriptor) {
    this(className, method, descriptor, List.of());
  }

  /**
   * Every public static method of a class that has this result.
   *
   * @param result JVM descriptor of the result, for example {@code J}
   * @param except names of methods that are left out
   */
  static Seam everyStatic(String className, String result, List<String> except) {
    return new Seam(className, EVERY, "(*)" + result, except);
  }

  /** Whether the seam is a family of methods, told by their result alone. */
  public boolean isFamily() {
    return method.equals(EVERY);
  }

  /** Whether the class is the JDK's, which sees nothing of the agent but its gate. */
  public boolean isJdk() {
    return className.startsWith("java.") || className.startsWith("jdk.");
  }

  /** JVM descriptor of the result. */
  public String result() {
    return descriptor.substring(descriptor.indexOf(')') + 1);
  }

  @Override
  public String toString() {
    String text = className + "." + method + descriptor;
    return except.isEmpty() ? text : text + " but " + String.join(", ", except);
  }
}
