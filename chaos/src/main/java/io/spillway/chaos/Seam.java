package io.spillway.chaos;

/**
 * A method behind a fault point, named as the JVM names it, so that the agent compiles and loads
 * without the class.
 *
 * @param className binary name of the class
 * @param method name of the method; {@code <init>} for a constructor, {@link #EVERY} for all public
 *     static ones with the descriptor's result
 * @param descriptor JVM descriptor that the method must have; with any other the point is disarmed
 */
public record Seam(String className, String method, String descriptor) {
  /** In place of a method's name: every public static method with the descriptor's result. */
  public static final String EVERY = "*";

  /**
   * Every public static method of a class that has this result.
   *
   * @param result JVM descriptor of the result, for example {@code J}
   */
  static Seam everyStatic(String className, String result) {
    return new Seam(className, EVERY, "(*)" + result);
  }

  /** Whether the seam is a family of methods, told by their result alone. */
  public boolean isFamily() {
    return method.equals(EVERY);
  }

  /** JVM descriptor of the result. */
  public String result() {
    return descriptor.substring(descriptor.indexOf(')') + 1);
  }

  @Override
  public String toString() {
    return className + "." + method + descriptor;
  }
}
