package io.spillway.chaos.internal.install;

import io.spillway.chaos.internal.report.JsonObject;
import java.util.Set;

/**
 * How an attached agent answers: it cannot print to who attached it, but its system properties can
 * be read from there, across users and file systems.
 */
public final class AttachReply {
  /** Set while the agent's classes are in the JVM, so that none has to be loaded just to ask. */
  public static final String LOADED = "spillway.chaos.agent";

  /** The answer to the last command: a JSON object with the command's {@code token} in it. */
  public static final String ANSWER = "spillway.chaos.answer";

  static final Set<String> PROPERTIES = Set.of(LOADED, ANSWER);

  private AttachReply() {}

  /** Notes that the agent is in this JVM. */
  public static void noteLoaded() {
    System.setProperty(LOADED, "loaded");
  }

  /** Answers a command. */
  public static void answer(String token, JsonObject answer) {
    System.setProperty(ANSWER, answer.put("token", token).toString());
  }
}
