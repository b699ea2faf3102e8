package io.spillway.chaos;

import io.spillway.chaos.internal.dispatch.Console;
import io.spillway.chaos.internal.install.AgentOptions;
import io.spillway.chaos.internal.install.Installation;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The agent: {@code -javaagent:spillway-chaos-agent.jar=plan=FILE,out=DIR[,environment=NAME]}. One
 * plan can be armed in a JVM at a time. Without a plan, and outside the plan's environment, nothing
 * is instrumented and one line says so.
 */
public final class ChaosAgent {
  private static ChaosController current;

  private ChaosAgent() {}

  /**
   * Called by the JVM before {@code main}. What is wrong with the plan or the argument ends the JVM
   * with code 2 and one sentence: a job that runs without the faults it was to be tested with would
   * pass for tested.
   */
  public static void premain(String argument, Instrumentation instrumentation) {
    try {
      var unused = install(argument, instrumentation);
    } catch (PlanException e) {
      refuse(e.getMessage());
    } catch (RuntimeException | LinkageError e) {
      refuse("the agent cannot be installed: " + e);
    }
  }

  private static void refuse(String sentence) {
    Console.say(sentence);
    System.exit(2);
  }

  /**
   * Called by the JVM when the agent is attached to it.
   *
   * @throws PlanException if the plan or the argument is wrong; nothing is armed then
   */
  public static void agentmain(String argument, Instrumentation instrumentation) {
    var unused = install(argument, instrumentation);
  }

  /**
   * Reads the plan that the argument names, checks it whole, and arms it.
   *
   * @param argument {@code plan=FILE,out=DIR,environment=NAME}, each optional; may be null
   * @return the armed plan; empty without a plan or outside the plan's environment
   * @throws PlanException if the plan or the argument is wrong; nothing is armed then
   * @throws IllegalStateException if a plan is armed already
   */
  public static Optional<ChaosController> install(
      String argument, Instrumentation instrumentation) {
    AgentOptions options = AgentOptions.parse(argument, System.getProperties());
    if (options.plan().isEmpty()) {
      Console.say("no plan given (plan=FILE or -Dspillway.chaos.plan=FILE): nothing is armed");
      return Optional.empty();
    }
    FaultPlan plan = FaultPlan.parse(options.plan().get());
    if (plan.environment().isPresent() && !plan.environment().equals(options.environment())) {
      Console.say(
          "the plan %s is for the environment '%s' and this JVM is in %s: nothing is armed"
              .formatted(
                  options.plan().get(),
                  plan.environment().get(),
                  options
                      .environment()
                      .map(name -> "'" + name + "'")
                      .orElse("none that is named")));
      return Optional.empty();
    }
    return Optional.of(arm(plan, options.out(), instrumentation));
  }

  /**
   * Arms a plan that is in memory; its environment is the caller's business.
   *
   * @param out directory for the report; made if it is missing
   * @return the armed plan, until {@link #uninstall()}
   * @throws PlanException if the report cannot be written there; nothing is armed then
   * @throws IllegalStateException if a plan is armed already
   */
  public static synchronized ChaosController arm(
      FaultPlan plan, Path out, Instrumentation instrumentation) {
    if (current != null) {
      throw new IllegalStateException("a plan is armed in this JVM already; uninstall it first");
    }
    current = new ChaosController(Installation.arm(plan, out, instrumentation));
    Console.say(
        "armed %d rules with seed %d%s, report in %s"
            .formatted(
                plan.rules().size(),
                plan.seed(),
                plan.mode() == FaultPlan.Mode.DRY_RUN ? " for a dry run" : "",
                out.toAbsolutePath()));
    return current;
  }

  /** The armed plan, if there is one. */
  public static synchronized Optional<ChaosController> current() {
    return Optional.ofNullable(current);
  }

  /**
   * Takes the armed plan away: every class gets its own code back, the last counts are written.
   *
   * @return whether a plan was armed
   */
  public static synchronized boolean uninstall() {
    if (current == null) {
      return false;
    }
    current.installation().close();
    current = null;
    return true;
  }
}
