package io.spillway.plan;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Whether the operators of a kind may run natively just now. The driver plugin has one ({@link
 * Installation}); planning asks it on whatever thread plans.
 */
@FunctionalInterface
public interface KindGate {
  /**
   * Asks for one operator that could run natively.
   *
   * @param query the SQL execution that is planned, as {@link #query} reads it
   * @return why it has to stay on the JVM; empty if it may run
   */
  Optional<String> refusal(OperatorSwitch kind, OptionalLong query);

  /**
   * Asked whatever the settings say.
   *
   * @return why no operator of any kind can run natively just now; empty if nothing stands in the
   *     way
   */
  default Optional<String> refusalOfAll() {
    return Optional.empty();
  }

  /**
   * A SQL execution by Spark's id, as tasks, stages and threads have it among their properties.
   *
   * @param id null where nothing is executed
   */
  static OptionalLong query(String id) {
    return id == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(id));
  }
}
