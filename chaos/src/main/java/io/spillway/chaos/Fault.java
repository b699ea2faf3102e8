package io.spillway.chaos;

import java.util.List;
import java.util.Locale;

/** What a rule does to the call that it picks. The plan names a fault by its {@link #id()}. */
public sealed interface Fault {
  /** All names that can stand in a plan. */
  List<String> IDS =
      List.of(
          ShortGrant.ID,
          OutOfMemory.ID,
          DiskFull.ID,
          TaskException.ID,
          CallError.ID,
          Kill.ID,
          Delay.ID,
          Interrupt.ID,
          ShortWrite.ID,
          TruncatedRead.ID,
          FlippedByte.ID,
          FetchFailure.ID,
          DamagedBlock.ID,
          Halt.ID,
          Lost.ID);

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

  /**
   * The call throws an out-of-memory before anything is taken: {@link OutOfMemoryError} where
   * Spillway asks the operating system and in the JDK, the allocator's own exception in Arrow,
   * netty and the RAPIDS accelerator, Spark's {@code SparkOutOfMemoryError} elsewhere, because the
   * plain one makes Spark end the executor.
   */
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

  /**
   * The call fails as its own kind does: {@link java.io.IOException} where bytes go to or come from
   * a disk or another executor, {@link ChaosException} elsewhere.
   */
  record CallError() implements Fault {
    /** The name in a plan. */
    public static final String ID = "error";

    @Override
    public String id() {
      return ID;
    }
  }

  /** The task ends as killed: the call throws Spark's {@code TaskKilledException}. */
  record Kill() implements Fault {
    /** The name in a plan. */
    public static final String ID = "kill";

    @Override
    public String id() {
      return ID;
    }
  }

  /**
   * The call waits and then goes on. An interrupt ends the wait early and stays set, so that a
   * killed task does not hang.
   *
   * @param millis how long at most, from 1 to {@link #MOST_MILLIS}
   */
  record Delay(long millis) implements Fault {
    /** The name in a plan. */
    public static final String ID = "delay";

    /** The longest wait: a minute, less than any of Spark's own time-outs. */
    public static final long MOST_MILLIS = 60_000;

    /** Refuses with {@link IllegalArgumentException} a wait that is not of that range. */
    public Delay {
      if (millis < 1 || millis > MOST_MILLIS) {
        throw new IllegalArgumentException(
            "millis must be from 1 to " + MOST_MILLIS + ", not " + millis);
      }
    }

    @Override
    public String id() {
      return ID;
    }

    @Override
    public String describe() {
      return ID + "(millis=" + millis + ")";
    }
  }

  /**
   * The thread is interrupted and the call goes on, as when a task is killed in the middle of it.
   */
  record Interrupt() implements Fault {
    /** The name in a plan. */
    public static final String ID = "interrupt";

    @Override
    public String id() {
      return ID;
    }
  }

  /**
   * Bytes of a spill file are damaged below codec and cipher, and the call says that all is well.
   * Spillway's own spill files only: what Spark's sorters write and read passes other classes.
   */
  sealed interface Damage extends Fault {}

  /** Half of the bytes that go to the disk next are not written. */
  record ShortWrite() implements Damage {
    /** The name in a plan. */
    public static final String ID = "short-write";

    @Override
    public String id() {
      return ID;
    }
  }

  /** The file seems to end where it is read. */
  record TruncatedRead() implements Damage {
    /** The name in a plan. */
    public static final String ID = "truncated-read";

    @Override
    public String id() {
      return ID;
    }
  }

  /** The first of the bytes that go to or come from the disk is turned over. */
  record FlippedByte() implements Damage {
    /** The name in a plan. */
    public static final String ID = "flipped-byte";

    @Override
    public String id() {
      return ID;
    }
  }

  /** The block that was fetched counts as lost: Spark's own {@code FetchFailedException}. */
  record FetchFailure() implements Fault {
    /** The name in a plan. */
    public static final String ID = "fetch-failure";

    @Override
    public String id() {
      return ID;
    }
  }

  /** The first byte of the fetched block is turned over below codec and cipher. */
  record DamagedBlock() implements Fault {
    /** The name in a plan. */
    public static final String ID = "damaged-block";

    @Override
    public String id() {
      return ID;
    }
  }

  /**
   * The executor's process ends at once with code 137, as if its container had killed it. No
   * shutdown hook runs.
   */
  record Halt() implements Fault {
    /** The name in a plan. */
    public static final String ID = "halt";

    @Override
    public String id() {
      return ID;
    }
  }

  /**
   * The message does not arrive: sending returns as ever, asking throws Spark's {@code
   * RpcTimeoutException}, at once and not when the time is up.
   */
  record Lost() implements Fault {
    /** The name in a plan. */
    public static final String ID = "lost";

    @Override
    public String id() {
      return ID;
    }
  }
}
