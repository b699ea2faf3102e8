package io.spillway.chaos;

import io.spillway.chaos.internal.dispatch.Console;
import io.spillway.chaos.internal.install.AgentArgument;
import io.spillway.chaos.internal.install.AgentOptions;
import io.spillway.chaos.internal.install.AttachReply;
import io.spillway.chaos.internal.install.AttachRequest;
import io.spillway.chaos.internal.install.Installation;
import io.spillway.chaos.internal.install.PlanSource;
import io.spillway.chaos.internal.report.JsonObject;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The agent: {@code -javaagent:spillway-chaos-agent.jar=plan=FILE,out=DIR[,environment=NAME]}, or
 * the same given to a running JVM. One plan can be armed in a JVM at a time. Without a plan, and
 * outside the plan's environment, nothing is instrumented and one line says so.
 */
public final class ChaosAgent {
  private static final String NOTHING_ARMED = "nothing is armed in this JVM";
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
    } catch (PlanException | IllegalStateException e) {
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
   * Called by the JVM when the agent is attached to it, each time anew: arms as {@link #premain}
   * does, or with {@code command=status} and {@code command=detach} tells what is armed and takes
   * it away. With {@code reply=TOKEN} the outcome goes to the one who attached, whatever it is; see
   * {@link AttachReply}.
   *
   * @throws PlanException if the plan or the argument is wrong and nobody waits for a reply;
   *     nothing is armed then
   * @throws IllegalStateException if a plan is armed already and nobody waits for a reply
   */
  public static void agentmain(String argument, Instrumentation instrumentation) {
    AttachReply.noteLoaded();
    AttachRequest request = AttachRequest.parse(argument);
    if (request.token().isEmpty()) {
      var unused = perform(request, instrumentation);
      return;
    }
    JsonObject answer;
    try {
      answer = perform(request, instrumentation);
    } catch (PlanException | IllegalStateException e) {
      answer = new JsonObject().put("refused", e.getMessage());
    } catch (RuntimeException | LinkageError e) {
      answer = new JsonObject().put("refused", "the agent failed: " + e);
    }
    AttachReply.answer(request.token().get(), answer);
  }

  private static synchronized JsonObject perform(
      AttachRequest request, Instrumentation instrumentation) {
    return switch (request.command()) {
      case ARM -> install(options(request.settings()), instrumentation).answer();
      case STATUS -> status();
      case DETACH -> detach();
    };
  }

  private static JsonObject status() {
    if (current == null) {
      Console.say(NOTHING_ARMED);
      return new JsonObject().put("refused", NOTHING_ARMED);
    }
    Console.say("armed since " + current.since() + ": " + current.planName());
    return current.installation().status();
  }

  private static JsonObject detach() {
    ChaosController last = current;
    if (!uninstall()) {
      Console.say(NOTHING_ARMED);
      return new JsonObject().put("refused", NOTHING_ARMED);
    }
    Console.say("detached: nothing is armed and no class is changed any more");
    return last.installation().status().put("restored", last.installation().restored());
  }

  /**
   * Reads the plan that the settings name, checks it whole, and arms it. Settings that the argument
   * does not have come from system properties, environment variables and the settings file.
   *
   * @param argument {@code plan=FILE,out=DIR,environment=NAME,config=FILE}, each optional; may be
   *     null
   * @return the armed plan; empty without a plan or outside the plan's environment
   * @throws PlanException if the plan or a setting is wrong; nothing is armed then
   * @throws IllegalStateException if a plan is armed already
   */
  public static Optional<ChaosController> install(
      String argument, Instrumentation instrumentation) {
    AttachReply.noteLoaded();
    AgentOptions options = options(AgentArgument.parse(argument, AgentOptions.KEYS));
    return install(options, instrumentation).armed();
  }

  private static AgentOptions options(Map<String, String> argument) {
    return AgentOptions.of(argument, System.getProperties(), System.getenv());
  }

  private static Outcome install(AgentOptions options, Instrumentation instrumentation) {
    if (options.plan().isEmpty()) {
      return Outcome.nothing("no plan given (plan=FILE or -Dspillway.chaos.plan=FILE)");
    }
    PlanSource source = options.plan().get();
    FaultPlan plan = source.read();
    if (plan.environment().isPresent() && !plan.environment().equals(options.environment())) {
      return Outcome.nothing(
          "the plan %s is for the environment '%s' and this JVM is in %s"
              .formatted(
                  source.name(),
                  plan.environment().get(),
                  options
                      .environment()
                      .map(name -> "'" + name + "'")
                      .orElse("none that is named")));
    }
    return new Outcome(
        Optional.of(arm(plan, source.name(), options.out(), instrumentation)), Optional.empty());
  }

  /**
   * Arms a plan that is in memory; its environment is the caller's business.
   *
   * @param out directory for the report; made if it is missing
   * @return the armed plan, until {@link #uninstall()}
   * @throws PlanException if the report cannot be written there; nothing is armed then
   * @throws IllegalStateException if a plan is armed already
   */
  public static ChaosController arm(FaultPlan plan, Path out, Instrumentation instrumentation) {
    return arm(plan, "a plan made in the program", out, instrumentation);
  }

  private static synchronized ChaosController arm(
      FaultPlan plan, String planName, Path out, Instrumentation instrumentation) {
    if (current != null) {
      throw new IllegalStateException(
          "a plan is armed in this JVM already (%s, since %s); detach it first"
              .formatted(current.planName(), current.since()));
    }
    current = new ChaosController(Installation.arm(plan, planName, out, instrumentation));
    Console.say(
        "armed %d rules with seed %d%s, report in %s"
            .formatted(
                plan.rules().size(),
                plan.seed(),
                plan.mode() == FaultPlan.Mode.DRY_RUN ? " for a dry run" : "",
                out.toAbsolutePath()));
    plan.killSwitch()
        .filter(Files::exists)
        .ifPresent(file -> Console.say("nothing fires while the kill switch " + file + " exists"));
    return current;
  }

  /**
   * Puts another plan in the armed one's place without changing a class: what a test needs that
   * makes one call after another fail. Counts begin anew; the report's files go on. The controller
   * of the plan before keeps that plan's counts.
   *
   * @param plan its points are among those of the plan that {@link #arm} was given
   * @return the plan armed now, until {@link #uninstall()} or the next one
   * @throws IllegalArgumentException if it names another point; the plan before stays armed
   * @throws IllegalStateException if no plan is armed
   * @throws PlanException if the report cannot be written; the plan before stays armed
   */
  public static synchronized ChaosController rearm(FaultPlan plan) {
    if (current == null) {
      throw new IllegalStateException(NOTHING_ARMED);
    }
    current.installation().rearm(plan);
    current = new ChaosController(current.installation());
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

  /** What became of an attempt to arm: the armed plan, or why nothing was. */
  private record Outcome(Optional<ChaosController> armed, Optional<String> reason) {

    static Outcome nothing(String why) {
      String reason = why + ": nothing is armed";
      Console.say(reason);
      return new Outcome(Optional.empty(), Optional.of(reason));
    }

    JsonObject answer() {
      return armed
          .map(controller -> controller.installation().status())
          .orElseGet(() -> new JsonObject().put("refused", reason.orElseThrow()));
    }
  }
}
