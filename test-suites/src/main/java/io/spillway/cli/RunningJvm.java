package io.spillway.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.spillway.chaos.internal.install.AgentArgument;
import io.spillway.chaos.internal.install.AttachReply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A JVM on this machine that the chaos agent is asked in. Its answers come back as a system
 * property, so that neither user nor file system need be the same. Closing it lets go of the JVM
 * and changes nothing there.
 */
final class RunningJvm implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The signal with which a JVM is asked to listen; it kills a process that does not expect it. */
  private static final int SIGQUIT = 3;

  /** What the JVM takes as one argument. */
  private static final int MOST_ARGUMENT_BYTES = 1024;

  /** A line of a process's status: stopped by a signal or by a debugger. */
  private static final Predicate<String> STOPPED =
      Pattern.compile("^State:\\s+[Tt] ").asPredicate();

  private final long pid;
  private final VirtualMachine jvm;

  private RunningJvm(long pid, VirtualMachine jvm) {
    this.pid = pid;
    this.jvm = jvm;
  }

  /**
   * Connects to a JVM.
   *
   * @throws AttachException if there is no such JVM or it does not let itself be attached to
   */
  static RunningJvm attach(long pid) {
    checkListens(pid);
    try {
      return new RunningJvm(pid, VirtualMachine.attach(Long.toString(pid)));
    } catch (NoClassDefFoundError e) {
      throw new AttachException(
          "this Java has no module jdk.attach: run it with a JDK, or set JAVA_HOME to one", e);
    } catch (AttachNotSupportedException | IOException e) {
      throw new AttachException(
          "the JVM %d cannot be attached to: %s; it must run as this user and without -XX:+DisableAttachMechanism"
              .formatted(pid, oneLine(e)),
          e);
    }
  }

  /** Refuses a process that the request to listen would kill. */
  private static void checkListens(long pid) {
    List<String> status;
    try {
      status = Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"));
    } catch (IOException e) {
      throw new AttachException("there is no process " + pid + "; `jps` lists JVMs", e);
    }
    if (status.stream().anyMatch(STOPPED)) {
      throw new AttachException(
          "the process %d is stopped and would not answer: resume it first (kill -CONT %d)"
              .formatted(pid, pid));
    }
    boolean catches =
        status.stream()
            .filter(line -> line.startsWith("SigCgt:"))
            .map(line -> line.substring("SigCgt:".length()).strip())
            .anyMatch(mask -> (Long.parseUnsignedLong(mask, 16) >> (SIGQUIT - 1) & 1) == 1);
    if (!catches) {
      throw new AttachException(
          "the process %d is no JVM that can be attached to (or was started with -Xrs); `jps` lists JVMs"
              .formatted(pid));
    }
  }

  /** Whether the agent's classes are in the JVM, so that it can be asked. */
  boolean hasAgent() {
    return property(AttachReply.LOADED) != null;
  }

  /**
   * Gives the agent a command and takes its answer.
   *
   * @param agentJar the agent; the JVM reads it, unless it has an agent already
   * @param command {@code arm}, {@code status} or {@code detach}
   * @param settings what the command has beside it, by key
   * @throws AttachException if the agent refused, with its sentence, or could not be asked
   */
  JsonNode ask(Path agentJar, String command, Map<String, String> settings) {
    String token = UUID.randomUUID().toString();
    StringBuilder argument = new StringBuilder("command=" + command + ",reply=" + token);
    settings.forEach(
        (key, value) ->
            argument.append(',').append(key).append('=').append(AgentArgument.escape(value)));
    load(agentJar, argument.toString());
    JsonNode answer = answer();
    if (!answer.path("token").asText().equals(token)) {
      throw new AttachException(
          "the agent in the JVM %d did not answer, or somebody else asked it just then: ask again"
              .formatted(pid));
    }
    if (answer.has("refused")) {
      throw new AttachException(answer.get("refused").asText());
    }
    return answer;
  }

  private void load(Path agentJar, String argument) {
    if ((agentJar + "=" + argument).length() >= MOST_ARGUMENT_BYTES) {
      throw new AttachException(
          "the paths are too long: a JVM takes %d bytes of arguments"
              .formatted(MOST_ARGUMENT_BYTES));
    }
    try {
      jvm.loadAgent(agentJar.toString(), argument);
    } catch (AgentLoadException | AgentInitializationException | IOException e) {
      throw new AttachException(
          "the JVM %d did not take the agent %s: %s; its standard error may say more"
              .formatted(pid, agentJar, oneLine(e)),
          e);
    }
  }

  private JsonNode answer() {
    String text = property(AttachReply.ANSWER);
    try {
      return JSON.readTree(text == null ? "{}" : text);
    } catch (JsonProcessingException e) {
      throw new AttachException("the agent in the JVM " + pid + " answered with no JSON", e);
    }
  }

  private String property(String name) {
    try {
      return jvm.getSystemProperties().getProperty(name);
    } catch (IOException e) {
      throw new AttachException("the JVM %d cannot be asked: %s".formatted(pid, oneLine(e)), e);
    }
  }

  private static String oneLine(Throwable e) {
    String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return message.strip().replaceAll("\\s+", " ");
  }

  @Override
  public void close() {
    try {
      jvm.detach();
    } catch (IOException e) {
      throw new AttachException("letting go of the JVM " + pid + " failed: " + oneLine(e), e);
    }
  }
}
