package io.spillway.resilience.mutation;

import java.io.IOException;
import java.util.List;
import net.bytebuddy.asm.Advice;

/** What is woven into methods to break them. */
final class Advices {
  private Advices() {}

  /** The method does nothing, and answers null, 0 or false. */
  static final class LeftOut {
    private LeftOut() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter() {
      return true;
    }
  }

  /** The method does nothing and answers true. */
  static final class LeftOutAndTrue {
    private LeftOutAndTrue() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter() {
      return true;
    }

    @Advice.OnMethodExit
    @SuppressWarnings("UnusedVariable")
    static void exit(@Advice.Return(readOnly = false) boolean answer) {
      answer = true;
    }
  }

  /** A step of cleaning up is left out once another has failed. */
  static final class LeftOutAfterAFailure {
    private LeftOutAfterAFailure() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter(@Advice.FieldValue("first") Throwable first) {
      return first != null;
    }
  }

  /** A request answers that all was granted. */
  static final class AnswersWhatWasAsked {
    private AnswersWhatWasAsked() {}

    @Advice.OnMethodExit
    @SuppressWarnings("UnusedVariable")
    static void exit(
        @Advice.Argument(0) long bytes, @Advice.Return(readOnly = false) long granted) {
      granted = bytes;
    }
  }

  /** Twice as much as was said. */
  static final class Doubled {
    private Doubled() {}

    @Advice.OnMethodEnter
    @SuppressWarnings("UnusedVariable")
    static void enter(@Advice.Argument(value = 0, readOnly = false) long bytes) {
      bytes *= 2;
    }
  }

  /** What was leaked counts as nothing. */
  static final class NothingLeaked {
    private NothingLeaked() {}

    @Advice.OnMethodEnter
    @SuppressWarnings("UnusedVariable")
    static void enter(@Advice.Argument(value = 2, readOnly = false) long leakedBytes) {
      leakedBytes = 0;
    }
  }

  /** A range that does not begin with the first row begins one before. */
  static final class BeginsARowEarly {
    private BeginsARowEarly() {}

    @Advice.OnMethodEnter
    @SuppressWarnings("UnusedVariable")
    static void enter(@Advice.Argument(value = 0, readOnly = false) int fromRow) {
      fromRow = Math.max(0, fromRow - 1);
    }
  }

  /** The same for a kernel that goes on after it was refused. */
  static final class RepeatsARow {
    private RepeatsARow() {}

    @Advice.OnMethodEnter
    @SuppressWarnings("UnusedVariable")
    static void enter(@Advice.Argument(value = 1, readOnly = false) long start) {
      start = Math.max(0, start - 1);
    }
  }

  /** Says that the last of several rows is not in. */
  static final class StopsARowEarly {
    private StopsARowEarly() {}

    @Advice.OnMethodExit
    @SuppressWarnings("UnusedVariable")
    static void exit(@Advice.Argument(0) int start, @Advice.Return(readOnly = false) int done) {
      if (done > start + 1) {
        done -= 1;
      }
    }
  }

  /** What was written is not kept in mind. */
  static final class SegmentsForgotten {
    private SegmentsForgotten() {}

    @Advice.OnMethodExit
    static void exit(@Advice.FieldValue("segments") List<?> segments) {
      segments.clear();
    }
  }

  /** The disk that was to be tried next fails, too. */
  static final class DiskFails {
    private DiskFails() {}

    @Advice.OnMethodEnter
    @SuppressWarnings("DoNotCallSuggester") // it is woven in, not called
    static void enter() throws IOException {
      throw new IOException("no other directory, says the mutation");
    }
  }
}
