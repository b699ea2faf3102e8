package io.spillway.chaos.internal.dispatch;

import io.spillway.chaos.Fault;
import io.spillway.chaos.FaultPlan;
import io.spillway.chaos.FaultPoint;
import io.spillway.chaos.RuleStatus;
import io.spillway.chaos.internal.report.LineFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * An armed plan: decides for each call that reaches a point, counts, and writes down what fires.
 * Any thread. The caller may hold Spark's locks: the only locks taken here are those of the
 * report's two files, and nothing of Spark is called under them.
 */
public final class FaultEngine {
  private final FaultPlan plan;
  private final List<ArmedRule> rules;

  /** Filled in the constructor and only read after that. */
  private final Map<FaultPoint, PointState> points = new EnumMap<>(FaultPoint.class);

  private final TaskLives tasks;
  private final Path killSwitch;
  private final LineFile firedFile;
  private final ExitClaims exits;
  private final Runnable onFired;
  private final HereAccess here = new HereAccess();
  private final SpillwayPresence spillway = new SpillwayPresence();
  private final AtomicReference<String> disarmReason = new AtomicReference<>();

  /**
   * @param firedFile where each fault is written down before it is injected; the caller closes it
   * @param attemptsFile where it is written down how attempts end; the caller closes it
   * @param onFired run after each fault, on the thread that gets it
   */
  public FaultEngine(FaultPlan plan, LineFile firedFile, LineFile attemptsFile, Runnable onFired) {
    this(plan, firedFile, attemptsFile, onFired, PointState::new);
  }

  /**
   * An engine in this one's place: all counts from 0, over the classes as they have been changed.
   *
   * @param next its points are among those that this one's plan names, or one before it
   */
  public FaultEngine next(FaultPlan next, LineFile newFiredFile, LineFile newAttemptsFile) {
    FaultEngine engine =
        new FaultEngine(
            next,
            newFiredFile,
            newAttemptsFile,
            onFired,
            (point, named, running) -> points.get(point).next(named, running));
    engine.tasks.follow(tasks);
    return engine;
  }

  /** Makes the states of the points; the parameters are those of {@link PointState}. */
  private interface States {
    PointState make(FaultPoint point, boolean armed, LongSupplier running);
  }

  private FaultEngine(
      FaultPlan plan, LineFile firedFile, LineFile attemptsFile, Runnable onFired, States states) {
    this.plan = plan;
    this.firedFile = firedFile;
    this.exits = new ExitClaims(firedFile.path().toAbsolutePath().getParent());
    this.onFired = onFired;
    this.killSwitch = plan.killSwitch().orElse(null);
    List<ArmedRule> armed = new ArrayList<>();
    long armedNanos = System.nanoTime();
    LongSupplier secondsArmed =
        () -> TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - armedNanos);
    plan.rules().forEach(rule -> armed.add(new ArmedRule(armed.size() + 1, rule, secondsArmed)));
    this.rules = List.copyOf(armed);
    this.tasks = new TaskLives(plan.seed(), rules, attemptsFile, this::countEnded);
    for (FaultPoint point : FaultPoint.values()) {
      boolean named = rules.stream().anyMatch(rule -> rule.point() == point);
      points.put(point, states.make(point, named, () -> tasks.calls(point)));
    }
  }

  /**
   * One call has reached a point.
   *
   * @param seam the instrumented class
   * @param operator the object that names the operator; null if the seam does not know it
   * @return the fault to inject, or null; in a dry run always null
   */
  Firing reach(FaultPoint point, Class<?> seam, Object operator) {
    PointState state = points.get(point);
    if (disarmReason.get() != null || state.disarmReason() != null) {
      return null;
    }
    if (!(TaskAccess.of(seam) instanceof TaskAccess spark)) {
      state.disarm((String) TaskAccess.of(seam));
      return null;
    }
    Attempt attempt = tasks.current(spark);
    Attempt.Calls calls = attempt.at(point);
    long call = calls.next();
    for (ArmedRule rule : calls.rules()) {
      if (rule.picks(attempt.key(), attempt.hash(), call)
          && (!rule.asksPlace() || rule.matchesPlace(here.of(seam)))
          && (!rule.asksOperator() || rule.matchesOperator(OperatorNames.of(operator)))
          && !killed()
          && Injection.isPossible(rule.rule().fault(), seam)
          && canBeMade(rule, state, seam)
          && rule.take(attempt.firedBy(rule))
          && mayHalt(rule, state, attempt, spark)) {
        return fire(rule, state, attempt, call, OperatorNames.of(operator), spark);
      }
    }
    attempt.trace().passed(point);
    return null;
  }

  private void countEnded(FaultPoint point, long calls) {
    points.get(point).countEnded(calls);
  }

  private Firing fire(
      ArmedRule rule,
      PointState state,
      Attempt attempt,
      long call,
      String operator,
      TaskAccess spark) {
    Firing firing =
        new Firing(
            plan.seed(),
            state.point(),
            rule.rule().fault(),
            rule.number(),
            attempt.key(),
            call,
            operator,
            tasks.askExecutor(spark),
            Thread.currentThread().getName(),
            Instant.now());
    try {
      firedFile.append(firing.toJson());
    } catch (IOException e) {
      // A fault that nobody can trace is worse than none.
      rule.undo(attempt.firedBy(rule));
      disarm("the fired file " + firedFile.path() + " cannot be written: " + e);
      return null;
    }
    state.countFired();
    if (plan.mode() == FaultPlan.Mode.DRY_RUN) {
      // It may pick every call: the counts are reported as they are without a fault.
      return null;
    }
    if (!attempt.key().outsideTask()) {
      attempt.trace().fired(state.point(), call, rule.number());
    }
    onFired.run();
    return firing;
  }

  /** An executor that ends must be one, and one of those that the application may lose. */
  private boolean mayHalt(ArmedRule rule, PointState state, Attempt attempt, TaskAccess spark) {
    if (!(rule.rule().fault() instanceof Fault.Halt) || plan.mode() == FaultPlan.Mode.DRY_RUN) {
      return true;
    }
    String id = spark.executorId();
    try {
      if (id == null || id.equals("driver")) {
        state.disarm("this JVM is the driver's, and with it the application would end");
      } else if (exits.take(spark.applicationId(), rule.number(), rule.rule().limits().total())) {
        return true;
      }
    } catch (IOException e) {
      state.disarm("an executor's end cannot be written down: " + e);
    }
    rule.giveBack(attempt.firedBy(rule));
    return false;
  }

  /** A fault that needs a class which this Spark has not disarms its point. */
  private static boolean canBeMade(ArmedRule rule, PointState state, Class<?> seam) {
    String problem = ForeignFailures.problem(rule.point(), rule.rule().fault(), seam);
    if (problem != null) {
      state.disarm(problem);
    }
    return problem == null;
  }

  /** Whether Spillway is on the tasks' class path; decided at the first call. */
  boolean spillwayIsThere(Class<?> seam) {
    return spillway.isThere(seam);
  }

  /** Spillway has started a batch. */
  void spillwayBatch() {
    spillway.confirm();
  }

  private boolean killed() {
    return killSwitch != null && Files.exists(killSwitch);
  }

  /** Keeps everything from firing from now on; says so on the first call. */
  public void disarm(String reason) {
    if (disarmReason.compareAndSet(null, reason)) {
      Console.say("everything is disarmed: " + reason);
    }
  }

  /** Why everything was disarmed; null if it was not. */
  public String disarmReason() {
    return disarmReason.get();
  }

  /** The armed plan. */
  public FaultPlan plan() {
    return plan;
  }

  /** The task attempts that this JVM runs. */
  public TaskLives tasks() {
    return tasks;
  }

  /** All points, in the catalogue's order. */
  public List<PointState> points() {
    return List.copyOf(points.values());
  }

  /** One point. */
  public PointState point(FaultPoint point) {
    return points.get(point);
  }

  /** The counts of each rule, in the plan's order. */
  public List<RuleStatus> rules() {
    return rules.stream()
        .map(
            rule ->
                new RuleStatus(
                    rule.number(),
                    rule.point(),
                    rule.rule().fault().describe(),
                    rule.fired(),
                    rule.limited()))
        .toList();
  }
}
