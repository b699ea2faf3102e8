package io.spillway.chaos;

import java.util.List;

/**
 * The {@code when} of a rule. Calls are counted from 1 within a task attempt, for each point. Every
 * constructor refuses a figure out of its range with {@link IllegalArgumentException}.
 */
public sealed interface Trigger {

  /**
   * The one call with this index.
   *
   * @param call at least 1
   */
  record Nth(long call) implements Trigger {
    /** Checks the range. */
    public Nth {
      checkAtLeastOne("nth", call);
    }
  }

  /**
   * Each call whose index is a multiple.
   *
   * @param calls at least 1
   */
  record Every(long calls) implements Trigger {
    /** Checks the range. */
    public Every {
      checkAtLeastOne("every", calls);
    }
  }

  /**
   * Each call from this index on.
   *
   * @param call at least 1
   */
  record From(long call) implements Trigger {
    /** Checks the range. */
    public From {
      checkAtLeastOne("from", call);
    }
  }

  /**
   * Each call whose key hashes below the share.
   *
   * @param share above 0, at most 1
   */
  record Probability(double share) implements Trigger {
    /** Checks the range. */
    public Probability {
      if (!(share > 0 && share <= 1)) {
        throw new IllegalArgumentException(
            "probability must be above 0 and at most 1, not " + share);
      }
    }
  }

  /**
   * Each call made so many seconds after arming or later. The one trigger by the clock: what it
   * fires is not repeatable.
   *
   * @param seconds at least 1
   */
  record AfterSeconds(long seconds) implements Trigger {
    /** Checks the range. */
    public AfterSeconds {
      checkAtLeastOne("afterSeconds", seconds);
    }
  }

  /**
   * Exactly these calls: what a replay has. They say where, too, so the rule's own {@code where} is
   * not asked.
   *
   * @param keys at least one
   */
  record Keys(List<FaultKey> keys) implements Trigger {
    /** Copies the list. */
    public Keys {
      keys = List.copyOf(keys);
      if (keys.isEmpty()) {
        throw new IllegalArgumentException("keys must be at least one");
      }
    }
  }

  private static void checkAtLeastOne(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, not " + value);
    }
  }
}
