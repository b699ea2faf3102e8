package io.spillway.chaos.internal.install;

import io.spillway.chaos.PlanException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What an attached agent is to do: {@code command=status,reply=TOKEN}, and what an agent's argument
 * has beside it.
 *
 * @param token who asks, given back in the answer; empty: nobody waits for one
 * @param settings the rest of the argument, by key
 */
public record AttachRequest(Command command, Optional<String> token, Map<String, String> settings) {

  /** What can be asked for. */
  public enum Command {
    /** Arm the plan that the settings name. */
    ARM,
    /** Say what is armed. */
    STATUS,
    /** Take the armed plan away. */
    DETACH;

    /** As it stands in the argument. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Parses the argument; without {@code command} it arms.
   *
   * @param argument may be null
   * @throws PlanException if it is wrong
   */
  public static AttachRequest parse(String argument) {
    List<String> keys = new ArrayList<>(AgentOptions.KEYS);
    keys.addAll(List.of("command", "reply"));
    Map<String, String> given = AgentArgument.parse(argument, keys);
    String id = given.remove("command");
    Optional<String> token = Optional.ofNullable(given.remove("reply"));
    return new AttachRequest(id == null ? Command.ARM : command(id), token, given);
  }

  private static Command command(String id) {
    return Arrays.stream(Command.values())
        .filter(command -> command.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                AgentArgument.problem(
                    "'command' must be one of %s, not '%s'"
                        .formatted(
                            Arrays.stream(Command.values())
                                .map(Command::id)
                                .collect(Collectors.joining(", ")),
                            id)));
  }
}
