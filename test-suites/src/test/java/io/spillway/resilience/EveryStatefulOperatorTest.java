package io.spillway.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.spillway.memory.spill.SpillFile;
import io.spillway.operator.NativeFilterExec;
import io.spillway.operator.NativeHashAggregateExec;
import io.spillway.operator.NativeOperator;
import io.spillway.testing.FaultSweep;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.spark.sql.spillway.SpillwayShuffleExchangeExec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * No operator that holds state is without a sweep. Stateful is an operator from whose class spill
 * files can be reached, through whatever classes of Spillway's operators, and the exchange.
 */
class EveryStatefulOperatorTest {
  /**
   * Holds rows, too, but has the writer of Spark's shuffle spill them: no spill file is its own.
   */
  private static final Class<?> EXCHANGE = SpillwayShuffleExchangeExec.class;

  private static final Set<String> RUN_ON_PARTITIONS =
      Set.of("partitionOperator", "doExecute", "doExecuteColumnar");

  private static final JavaClasses PRODUCTION =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.spillway.operator");

  @Test
  void shouldHaveASweepOfASampleAndOneOfEveryCallForEachStatefulOperator() {
    Set<String> stateful = stateful();
    assertThat(stateful).contains(NativeHashAggregateExec.class.getName());
    assertThat(sweptBy(false)).as("operators with a sweep in every build").isEqualTo(stateful);
    assertThat(sweptBy(true)).as("operators with a sweep of every call").isEqualTo(stateful);
  }

  @Test
  void shouldTellStatefulOperatorsFromOthers() {
    assertThat(stateful())
        .contains(NativeHashAggregateExec.class.getName())
        .doesNotContain(NativeFilterExec.class.getName());
  }

  private static Set<String> stateful() {
    Set<String> stateful =
        PRODUCTION.stream()
            .filter(type -> type.isAssignableTo(NativeOperator.class))
            .filter(
                type -> !type.isInterface() && !type.getModifiers().contains(JavaModifier.ABSTRACT))
            .filter(EveryStatefulOperatorTest::runsCodeOfItsOwn)
            .filter(EveryStatefulOperatorTest::reachesSpillFiles)
            .map(JavaClass::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    stateful.add(EXCHANGE.getName());
    return stateful;
  }

  /** What only looks different in plans is swept with the operator whose code it runs. */
  private static boolean runsCodeOfItsOwn(JavaClass operator) {
    return operator.getMethods().stream()
        .anyMatch(method -> RUN_ON_PARTITIONS.contains(method.getName()));
  }

  private static boolean reachesSpillFiles(JavaClass operator) {
    Deque<JavaClass> open = new ArrayDeque<>(Set.of(operator));
    Set<JavaClass> seen = new HashSet<>();
    while (!open.isEmpty()) {
      JavaClass type = open.poll();
      if (type.isEquivalentTo(SpillFile.class)) {
        return true;
      }
      if (seen.add(type)) {
        type.getDirectDependenciesFromSelf().stream()
            .map(Dependency::getTargetClass)
            .filter(
                target ->
                    target.getPackageName().startsWith("io.spillway.operator")
                        || target.isEquivalentTo(SpillFile.class))
            .forEach(open::add);
      }
    }
    return false;
  }

  private static Set<String> sweptBy(boolean everyCall) {
    Set<String> swept = new TreeSet<>();
    for (JavaClass type : new ClassFileImporter().importPackages("io.spillway.resilience")) {
      Class<?> test = type.reflect();
      SweepOver over = test.getAnnotation(SweepOver.class);
      if (over != null
          && AnnotationSupport.isAnnotated(test, FaultSweep.class)
          && isSoak(test) == everyCall) {
        Arrays.stream(over.value()).map(Class::getName).forEach(swept::add);
      }
    }
    return swept;
  }

  private static boolean isSoak(Class<?> type) {
    return AnnotationSupport.findRepeatableAnnotations(type, Tag.class).stream()
        .anyMatch(tag -> tag.value().equals("soak"));
  }
}
