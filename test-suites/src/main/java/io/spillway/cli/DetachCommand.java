package io.spillway.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Takes the armed plan out of a running JVM. */
@Command(
    name = "detach",
    description = "Takes the armed plan out of a running JVM: every class gets its own code back.")
final class DetachCommand implements Callable<Integer> {
  @Parameters(paramLabel = "PID", description = "The JVM's process id.")
  private long pid;

  @Mixin private AgentJarOption agent;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter printed = spec.commandLine().getOut();
    try (RunningJvm jvm = RunningJvm.attach(pid)) {
      if (!jvm.hasAgent()) {
        throw new AttachException("the JVM " + pid + " has no chaos agent in it");
      }
      JsonNode answer = jvm.ask(agent.jar(), "detach", Map.of());
      printed.print(
          "detached from the JVM " + pid + System.lineSeparator() + ArmedPlanText.of(answer));
      printed.flush();
      if (!answer.get("restored").asBoolean()) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(
            "spillway chaos: a class kept its changed code; its points pass without effect");
        err.flush();
        return 1;
      }
    }
    return 0;
  }
}
