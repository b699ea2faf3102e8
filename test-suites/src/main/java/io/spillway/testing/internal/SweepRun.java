package io.spillway.testing.internal;

import io.spillway.chaos.FaultPoint;
import io.spillway.testing.SweepOutcome;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** One test under all its faults: what its invocations share. Test thread only. */
final class SweepRun {
  /** The label of runs in which nothing fires. */
  static final String NO_FAULT = "spillway-testing-no-fault";

  /** The name of the one fault to run. */
  static final String REPLAY = "spillway.testing.replay";

  private final String testClass;
  private final String method;
  private final FaultSource source;
  private final Supplier<ManagedSession> session;
  private final RememberedFailures remembered;
  private final Deque<PlannedFault> queue = new ArrayDeque<>();
  private final List<InvocationReport> invocations = new ArrayList<>();
  private final List<Long> fired = new ArrayList<>();
  private List<RecordedResult> expected = List.of();
  private List<Call> calls = List.of();
  private int found;
  private boolean planned;
  private String givenUp = "";

  /**
   * @param session asked for at each use: another test may have stopped it
   */
  SweepRun(String testClass, String method, FaultSource source, Supplier<ManagedSession> session) {
    this.testClass = testClass;
    this.method = method;
    this.source = source;
    this.session = session;
    this.remembered = new RememberedFailures(OutputFolder.path(), label());
  }

  FaultSource source() {
    return source;
  }

  ManagedSession session() {
    return session.get();
  }

  RememberedFailures remembered() {
    return remembered;
  }

  /** What the agent knows the job by. */
  String label() {
    return testClass + "." + method;
  }

  void prepareAgent() {
    Path out = OutputFolder.faults();
    ArmedAgent.prepare(source.points(), out);
  }

  void expect(List<RecordedResult> results) {
    expected = results;
  }

  List<RecordedResult> expected() {
    return expected;
  }

  void count(List<Call> counted) {
    calls = counted;
  }

  List<Call> calls() {
    return calls;
  }

  Map<FaultPoint, Long> callsByPoint() {
    Map<FaultPoint, Long> counts = new EnumMap<>(FaultPoint.class);
    calls.forEach(call -> counts.merge(call.point(), 1L, Long::sum));
    return counts;
  }

  /** Decides what is injected: first what failed last time, and a replay alone. */
  void plan() {
    List<PlannedFault> all = source.faults(calls);
    found = all.size();
    planned = true;
    String replay = System.getProperty(REPLAY);
    if (replay != null) {
      all.stream().filter(fault -> fault.name().equals(replay)).forEach(queue::add);
      if (queue.isEmpty()) {
        throw new AssertionError(
            "-D%s names '%s', which is none of this test's %d faults; their names are such as '%s'"
                .formatted(REPLAY, replay, found, all.isEmpty() ? "" : all.get(0).name()));
      }
      return;
    }
    List<String> before = remembered.names();
    List<PlannedFault> chosen = source.choose(all);
    all.stream().filter(fault -> before.contains(fault.name())).forEach(queue::add);
    chosen.stream().filter(fault -> !before.contains(fault.name())).forEach(queue::add);
  }

  /** Whether the counting run was well. */
  boolean isPlanned() {
    return planned;
  }

  boolean isReplay() {
    return System.getProperty(REPLAY) != null;
  }

  /** Injects nothing more. */
  void giveUp(String why) {
    givenUp = "%d faults were not injected: %s".formatted(queue.size(), why);
    queue.clear();
  }

  boolean isGivenUp() {
    return !givenUp.isEmpty();
  }

  /** Why not every fault was injected that was to be; empty if all were. */
  String givenUp() {
    return givenUp;
  }

  /** The next fault; null if all were injected. */
  PlannedFault next() {
    return queue.poll();
  }

  void done(
      PlannedFault fault,
      SweepOutcome outcome,
      List<Long> firedByRule,
      long millis,
      List<String> problems) {
    long all = 0;
    for (int rule = 0; rule < firedByRule.size(); rule++) {
      if (rule == fired.size()) {
        fired.add(0L);
      }
      fired.set(rule, fired.get(rule) + firedByRule.get(rule));
      all += firedByRule.get(rule);
    }
    invocations.add(
        new InvocationReport(
            fault.name(),
            fault.point(),
            fault.operator(),
            fault.mode(),
            fault.fault(),
            all,
            outcome,
            millis,
            String.join("; ", problems)));
  }

  /** How often each rule has fired, in the order of the plans. */
  List<Long> fired() {
    return fired;
  }

  /** All outcomes in a line. */
  String summary() {
    StringBuilder text = new StringBuilder();
    text.append(invocations.size()).append(invocations.size() == 1 ? " fault" : " faults");
    if (invocations.size() < found) {
      text.append(" of ").append(found).append(", drawn with seed ").append(source.seed());
    }
    for (SweepOutcome outcome : SweepOutcome.values()) {
      long count = invocations.stream().filter(one -> one.outcome() == outcome).count();
      if (count > 0) {
        text.append(", ").append(count).append(' ').append(outcome.words());
      }
    }
    if (expected.isEmpty()) {
      text.append(", no result compared");
    }
    return text.toString();
  }

  /** What runs one fault again. */
  String replay(String name) {
    return "mvn test '-Dtest=%s#%s' '-D%s=%s'".formatted(testClass, method, REPLAY, name);
  }

  /** Everything so far, for the report. */
  SweepReport report() {
    return SweepReport.of(method, source.seed(), found, expected, calls, invocations);
  }

  String testClass() {
    return testClass;
  }
}
