package io.spillway.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.chaos.FaultPlan;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Arms a plan in a running JVM. */
@Command(name = "attach", description = "Arms a plan in a running JVM of this machine.")
final class AttachCommand implements Callable<Integer> {
  @Parameters(paramLabel = "PID", index = "0", description = "The JVM's process id.")
  private long pid;

  @Parameters(paramLabel = "PLAN", index = "1", description = "The YAML plan.")
  private Path plan;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Directory for what fired (default: spillway-chaos in the working directory of the JVM).")
  private Path out;

  @Option(
      names = "--environment",
      paramLabel = "NAME",
      description = "What kind of environment the JVM runs in.")
  private String environment;

  @Mixin private AgentJarOption agent;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    // A wrong plan is refused here, before anything of ours is in the JVM.
    FaultPlan.parse(plan);
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("plan", plan.toAbsolutePath().toString());
    if (out != null) {
      settings.put("out", out.toAbsolutePath().toString());
    }
    if (environment != null) {
      settings.put("environment", environment);
    }
    PrintWriter printed = spec.commandLine().getOut();
    try (RunningJvm jvm = RunningJvm.attach(pid)) {
      JsonNode answer = jvm.ask(agent.jar(), "arm", settings);
      printed.print("armed in the JVM " + pid + System.lineSeparator() + ArmedPlanText.of(answer));
    }
    printed.flush();
    return 0;
  }
}
