package io.spillway.cli;

import io.spillway.chaos.ChaosAgent;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which agent goes into a JVM: the one that this command was started with, or another. */
final class AgentJarOption {
  @Option(
      names = "--agent",
      paramLabel = "JAR",
      description = "The agent's jar (default: the one of this command).")
  private Path jar;

  /**
   * The jar, absolute.
   *
   * @throws AttachException if there is none
   */
  Path jar() {
    Path file = (jar == null ? own() : jar).toAbsolutePath().normalize();
    if (!Files.isRegularFile(file)) {
      throw new AttachException(file + " is not the agent's jar: name it with --agent");
    }
    return file;
  }

  private static Path own() {
    try {
      return Path.of(ChaosAgent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AttachException("the agent's jar has no path: name it with --agent", e);
    }
  }
}
