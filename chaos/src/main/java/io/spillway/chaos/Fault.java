package io.spillway.chaos;

import java.util.Locale;

/** What a rule does to the call that it picks. The plan names a fault by its {@link #id()}. */
public sealed interface Fault {

  /** The name that stands in a plan and in the report, for example {@code out-of-memory}. */
  String id();

  /** The fault as the plan writes it, figures included. */
  default String describe() {
    return id();
  }

  /**
   * The caller is granted less than it asked for.
   *
   * @param share how much of the asked bytes the seam may ask for, from 0 (nothing) to below 1
   */
  record ShortGrant(double share) implements Fault {
    /** The name in a plan. */
    public static final String ID = "short-grant";

    /** Refuses with {@link IllegalArgumentException} a share that is not of that range. */
    public ShortGrant {
      if (!(share >= 0 && share < 1)) {
        throw new IllegalArgumentException("share must be at least 0 and below 1, not " + share);
      }
    }

    @Override
    public String id() {
      return ID;
    }

    @Override
    public String describe() {
      return String.format(Locale.ROOT, "%s(share=%s)", ID, share);
    }
  }

  /** The native allocation throws {@link OutOfMemoryError} before anything is taken. */
  record OutOfMemory() implements Fault {
    /** The name in a plan. */
    public static final String ID = "out-of-memory";

    @Override
    public String id() {
      return ID;
    }
  }

  /** The write throws {@link java.io.IOException} as a full disk does. */
  record DiskFull() implements Fault {
    /** The name in a plan. */
    public static final String ID = "disk-full";

    @Override
    public String id() {
      return ID;
    }
  }

  /** The call throws {@link ChaosException}. */
  record TaskException() implements Fault {
    /** The name in a plan. */
    public static final String ID = "exception";

    @Override
    public String id() {
      return ID;
    }
  }
}
