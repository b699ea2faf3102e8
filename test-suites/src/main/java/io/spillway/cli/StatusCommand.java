package io.spillway.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells what is armed in a running JVM. */
@Command(
    name = "status",
    description = "Tells what is armed in a running JVM, and what was reached and fired there.")
final class StatusCommand implements Callable<Integer> {
  @Parameters(paramLabel = "PID", description = "The JVM's process id.")
  private long pid;

  @Option(names = "--json", description = "The agent's answer as it is.")
  private boolean json;

  @Mixin private AgentJarOption agent;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter printed = spec.commandLine().getOut();
    try (RunningJvm jvm = RunningJvm.attach(pid)) {
      if (!jvm.hasAgent()) {
        throw new AttachException("the JVM " + pid + " has no chaos agent in it");
      }
      JsonNode answer = jvm.ask(agent.jar(), "status", Map.of());
      printed.print(json ? answer + System.lineSeparator() : ArmedPlanText.of(answer));
    }
    printed.flush();
    return 0;
  }
}
