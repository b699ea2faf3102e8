package io.spillway.chaos;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.matcher.ElementMatchers;

/** A job that makes a class with a Byte Buddy of its own, then does what {@link ForkedJob} does. */
public final class UberJob {
  private UberJob() {}

  /** Prints the made class's answer and the jar that its Byte Buddy is from. */
  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) throws Exception {
    Object made =
        new ByteBuddy()
            .subclass(Object.class)
            .method(ElementMatchers.named("toString"))
            .intercept(FixedValue.value("made"))
            .make()
            .load(UberJob.class.getClassLoader())
            .getLoaded()
            .getConstructor()
            .newInstance();
    System.out.println(
        made + " by " + ByteBuddy.class.getProtectionDomain().getCodeSource().getLocation());
    ForkedJob.main(arguments);
  }
}
