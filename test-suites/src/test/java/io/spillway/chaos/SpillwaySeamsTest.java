package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.spillway.kernel.Kernels;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
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

  @Test
  void shouldHaveEveryKernelAtOneOfTheTwoPoints() {
    Set<String> call = kernelsAt(FaultPoint.KERNEL_CALL);
    Set<String> state = kernelsAt(FaultPoint.KERNEL_STATE);
    assertThat(call).contains("Kernels.eval").doesNotContainAnyElementsOf(state);
    assertThat(state).contains("Kernels.aggAdd", "JoinKernels.probe", "SortKernels.merge");
    Set<String> reachable = new TreeSet<>(call);
    reachable.addAll(state);
    assertThat(reachable).as("kernels that faults can reach").isEqualTo(kernels());
  }

  /** Every kernel, as class and method. */
  private static Set<String> kernels() {
    Set<String> kernels = new TreeSet<>();
    for (JavaClass type :
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(Kernels.class.getPackageName())) {
      if (type.getSimpleName().endsWith("Kernels")) {
        type.getMethods().stream()
            .filter(SpillwaySeamsTest::isKernel)
            .forEach(method -> kernels.add(type.getSimpleName() + "." + method.getName()));
      }
    }
    return kernels;
  }

  private static boolean isKernel(JavaMethod method) {
    return method.getModifiers().containsAll(Set.of(JavaModifier.PUBLIC, JavaModifier.STATIC))
        && method.getRawReturnType().isEquivalentTo(long.class);
  }

  private static Set<String> kernelsAt(FaultPoint point) {
    Set<String> kernels = new TreeSet<>();
    for (Seam seam : point.seams()) {
      String type = seam.className().substring(seam.className().lastIndexOf('.') + 1);
      if (seam.isFamily()) {
        kernels().stream()
            .filter(kernel -> kernel.startsWith(type + "."))
            .filter(kernel -> !seam.except().contains(kernel.substring(type.length() + 1)))
            .forEach(kernels::add);
      } else {
        kernels.add(type + "." + seam.method());
      }
    }
    return kernels;
  }
}
