package io.spillway.chaos;

/**
 * The one method behind a fault point, named as the JVM names it, so that the agent compiles and
 * loads without the class.
 *
 * @param className binary name of the class
 * @param method name of the method
 * @param descriptor JVM descriptor that the method must have; with any other the point is disarmed
 */
public record Seam(String className, String method, String descriptor) {

  @Override
  public String toString() {
    return className + "." + method + descriptor;
  }
}
