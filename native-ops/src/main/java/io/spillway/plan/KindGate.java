package io.spillway.plan;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether the operators of a kind may run natively just now. The driver plugin installs one;
 * planning asks it on whatever thread plans.
 */
@FunctionalInterface
public interface KindGate {
  /** Lets everything pass: without the plugin nothing is counted. */
  KindGate OPEN = (kind, query) -> Optional.empty();

  /**
   * Asks for one operator that could run natively.
   *
   * @param query Spark's id of the SQL execution that is planned; empty if nothing is executed yet
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

  /** From now on this one is asked, in every session of the application. */
  static void install(KindGate gate) {
    Installed.GATE.set(gate);
  }

  /** The one that was installed last. */
  static KindGate installed() {
    return Installed.GATE.get();
  }

  /** Interfaces have no private fields. */
  final class Installed {
    private static final AtomicReference<KindGate> GATE = new AtomicReference<>(OPEN);

    private Installed() {}
  }
}
