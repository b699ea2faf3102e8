package io.spillway;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.TaskMemoryManager;

/** The arrows between modules and packages run down only. */
@AnalyzeClasses(packages = "io.spillway", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String[] NATIVE_OPS = {
    "io.spillway",
    "io.spillway.plugin..",
    "io.spillway.plan..",
    "io.spillway.operator..",
    "io.spillway.expression..",
    "io.spillway.kernel.."
  };

  @ArchTest
  static final ArchRule MEMORY_MANAGER_KNOWS_NO_OTHER_MODULE =
      noClasses()
          .that()
          .resideInAPackage("io.spillway.memory..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              and(
                  NATIVE_OPS,
                  "io.spillway.chaos..",
                  "io.spillway.drill..",
                  "io.spillway.report..",
                  "io.spillway.compare..",
                  "io.spillway.tpch..",
                  "io.spillway.cli.."))
          .because("operators stand on the memory manager, not beside it");

  @ArchTest
  static final ArchRule NATIVE_OPS_KNOW_ONLY_THE_MEMORY_MANAGER =
      noClasses()
          .that()
          .resideInAnyPackage(NATIVE_OPS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.spillway.chaos..",
              "io.spillway.drill..",
              "io.spillway.report..",
              "io.spillway.compare..",
              "io.spillway.tpch..",
              "io.spillway.testing..",
              "io.spillway.cli..")
          .because("production code knows nothing of chaos");

  @ArchTest
  static final ArchRule CHAOS_KNOWS_NONE_OF_OURS =
      noClasses()
          .that()
          .resideInAPackage("io.spillway.chaos..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              and(
                  NATIVE_OPS,
                  "io.spillway.memory..",
                  "io.spillway.drill..",
                  "io.spillway.report..",
                  "io.spillway.compare..",
                  "io.spillway.tpch..",
                  "io.spillway.testing..",
                  "io.spillway.cli.."))
          .because("the agent must work on any Spark job");

  @ArchTest
  static final ArchRule KERNELS_KNOW_NOTHING_ABOVE_THEM =
      noClasses()
          .that()
          .resideInAPackage("io.spillway.kernel..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.spillway",
              "io.spillway.plugin..",
              "io.spillway.plan..",
              "io.spillway.operator..",
              "io.spillway.expression..")
          .because("kernels work on addresses and know no plan");

  @ArchTest
  static final ArchRule EXPRESSIONS_KNOW_NOTHING_ABOVE_THEM =
      noClasses()
          .that()
          .resideInAPackage("io.spillway.expression..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.spillway", "io.spillway.plugin..", "io.spillway.plan..")
          .because("a program is compiled without knowing the plan around it");

  @ArchTest
  static final ArchRule PLAN_AND_OPERATORS_DO_NOT_KNOW_THE_PLUGIN_CLASS =
      noClasses()
          .that()
          .resideInAnyPackage("io.spillway.plan..", "io.spillway.operator..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.spillway")
          .because("the plugin class is the entry and nothing below needs it");

  @ArchTest
  static final ArchRule NO_TWO_PACKAGES_NEED_EACH_OTHER =
      slices()
          .matching("io.spillway.(*)..")
          .should()
          .beFreeOfCycles()
          .because("the arrows of the design run down only");

  @ArchTest
  static final ArchRule PAGES_OF_SPARK_ARE_NOT_USED =
      noClasses()
          .that()
          .resideInAnyPackage("io.spillway.memory..", "io.spillway.operator..")
          .should()
          .callMethod(TaskMemoryManager.class, "allocatePage", long.class, MemoryConsumer.class)
          .because("a page that cannot be allocated leaves Spark's whole pool charged to the task");

  private static String[] and(String[] some, String... more) {
    String[] all = java.util.Arrays.copyOf(some, some.length + more.length);
    System.arraycopy(more, 0, all, some.length, more.length);
    return all;
  }
}
