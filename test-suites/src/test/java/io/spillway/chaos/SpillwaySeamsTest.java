package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The agent knows Spillway's and Spark's classes by name alone: these are the real ones. */
class SpillwaySeamsTest {

  /**
   * Engines that are not on this class path; the agent's own tests run the one that is to be had.
   */
  private static final Pattern ELSEWHERE =
      Pattern.compile(
          "org\\.apache\\.(comet|gluten|spark\\.CometTaskMemoryManager)|ai\\.rapids\\.");

  static List<Arguments> seams() {
    List<Arguments> seams = new ArrayList<>();
    for (FaultPoint point : FaultPoint.values()) {
      point.seams().stream()
          .filter(seam -> !ELSEWHERE.matcher(seam.className()).lookingAt())
          .forEach(seam -> seams.add(Arguments.of(point, seam)));
    }
    return seams;
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("seams")
  void shouldHaveTheSignatureThatTheCatalogueExpects(FaultPoint point, Seam seam) throws Exception {
    Class<?> type = Class.forName(seam.className(), false, getClass().getClassLoader());
    List<String> found = new ArrayList<>();
    for (Method method : type.getDeclaredMethods()) {
      MethodType signature =
          MethodType.methodType(method.getReturnType(), method.getParameterTypes());
      if (seam.isFamily()) {
        if (!seam.except().contains(method.getName())
            && Modifier.isPublic(method.getModifiers())
            && Modifier.isStatic(method.getModifiers())
            && signature.returnType().descriptorString().equals(seam.result())) {
          found.add(seam.method() + seam.descriptor());
        }
      } else if (!Modifier.isAbstract(method.getModifiers())
          && !Modifier.isNative(method.getModifiers())) {
        found.add(method.getName() + signature.descriptorString());
      }
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      found.add(
          "<init>"
              + MethodType.methodType(void.class, constructor.getParameterTypes())
                  .descriptorString());
    }
    assertThat(found).as("methods at %s", point).contains(seam.method() + seam.descriptor());
  }
}
