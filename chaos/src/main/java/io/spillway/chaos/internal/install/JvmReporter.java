package io.spillway.chaos.internal.install;

import io.spillway.chaos.internal.dispatch.Console;
import io.spillway.chaos.internal.dispatch.FaultEngine;
import io.spillway.chaos.internal.dispatch.SparkFigures;
import io.spillway.chaos.internal.dispatch.SpillwayLedger;
import io.spillway.chaos.internal.report.JsonObject;
import io.spillway.chaos.internal.report.MemorySamples;
import io.spillway.chaos.internal.report.PointsFile;
import io.spillway.chaos.internal.report.ProcessMemory;
import io.spillway.chaos.internal.report.SpillFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Writes down how this JVM fares: memory samples, about each second its totals, and at its orderly
 * end that it has ended. A file without that last word tells of a JVM that was killed.
 */
final class JvmReporter implements AutoCloseable {
  private static final long SAMPLE_MILLIS = 200;
  private static final int SAMPLES_PER_REPORT = 5;
  private static final int MOST_SAMPLES = 2000;
  private static final int NAMED_FILES = 20;

  private final PointsFile file;
  private final MemorySamples samples;
  private final ProcessMemory memory = new ProcessMemory();
  private final Instant started = Instant.now();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "spillway-chaos-memory");
            thread.setDaemon(true);
            return thread;
          });
  private final Thread atExit = new Thread(this::end, "spillway-chaos-end");

  /** All below are guarded by this object's lock; Spark and Spillway are asked under it alone. */
  private FaultEngine engine;

  /**
   * The engine's plan as YAML, made once, because the file is written each second; null: not yet.
   */
  private String plan;

  private Optional<SparkFigures> spark = Optional.empty();
  private Optional<SpillwayLedger> ledger = Optional.empty();
  private List<String> spillFiles = List.of();
  private long scannedAtEnded;
  private long ticks;
  private Instant ended;
  private boolean complained;

  /**
   * @param directory of the report
   * @throws IOException if the samples cannot be written there
   */
  JvmReporter(Path directory, long pid) throws IOException {
    this.file = new PointsFile(directory.resolve("jvm-" + pid + ".json"));
    this.samples = new MemorySamples(directory.resolve("memory-" + pid + ".jsonl"), MOST_SAMPLES);
  }

  /**
   * Takes the first sample, and others from now on.
   *
   * @throws IOException if the files cannot be written
   */
  synchronized void start(FaultEngine armed) throws IOException {
    engine = armed;
    samples.keep(sample());
    file.write(this::text);
    Runtime.getRuntime().addShutdownHook(atExit);
    var unused =
        timer.scheduleWithFixedDelay(
            this::tick, SAMPLE_MILLIS, SAMPLE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Reports another engine's totals from now on. */
  synchronized void replace(FaultEngine next) {
    engine = next;
    plan = null;
    scannedAtEnded = 0;
  }

  private synchronized void tick() {
    if (ended != null) {
      return;
    }
    guarded(
        () -> {
          samples.add(sample());
          lookForSpillFiles();
          if (++ticks % SAMPLES_PER_REPORT == 0) {
            askLedger();
            file.write(this::text);
          }
        });
  }

  /** Takes the last sample and says that the end was an orderly one. Idempotent. */
  private synchronized void end() {
    if (ended != null || engine == null) {
      return;
    }
    guarded(
        () -> {
          lookForSpillFiles();
          askLedger();
          samples.keep(sample());
        });
    ended = Instant.now();
    guarded(() -> file.write(this::text));
  }

  private interface Step {
    void run() throws IOException;
  }

  /** Whatever goes wrong here is the report's business and not the job's. */
  private void guarded(Step step) {
    try {
      step.run();
    } catch (IOException | RuntimeException | Error e) {
      if (!complained) {
        complained = true;
        Console.say("what this JVM holds cannot be written to " + file.path() + ": " + e);
      }
    }
  }

  private JsonObject sample() {
    JsonObject sample = memory.addTo(new JsonObject().put("millis", Instant.now().toEpochMilli()));
    spark()
        .flatMap(SparkFigures::pools)
        .ifPresent(
            pools ->
                sample
                    .put("offHeapExecutionBytes", pools.offHeapExecutionBytes())
                    .put("offHeapStorageBytes", pools.offHeapStorageBytes())
                    .put("onHeapExecutionBytes", pools.onHeapExecutionBytes()));
    return sample;
  }

  private Optional<SparkFigures> spark() {
    if (spark.isEmpty() && engine.tasks().loader() != null) {
      spark = SparkFigures.of(engine.tasks().loader());
    }
    return spark;
  }

  /** While no task runs nobody needs a spill: what lies there was left. */
  private void lookForSpillFiles() {
    // What tasks share may lie there between them, and goes a little after its query.
    spillFiles = SpillFiles.notDeleted(spillFiles);
    long endedAttempts = engine.tasks().endedAttempts();
    if (endedAttempts == scannedAtEnded || engine.tasks().heldAttempts() > 0 || spark().isEmpty()) {
      return;
    }
    List<String> found = SpillFiles.in(spark.get().localDirectories());
    // A task that started meanwhile may have spilled.
    if (engine.tasks().heldAttempts() == 0 && engine.tasks().endedAttempts() == endedAttempts) {
      spillFiles = found;
      scannedAtEnded = endedAttempts;
    }
  }

  private void askLedger() {
    if (engine.tasks().loader() != null) {
      Optional<SpillwayLedger> now = SpillwayLedger.of(engine.tasks().loader());
      if (now.isPresent()) {
        ledger = now;
      }
    }
  }

  private String text() {
    JsonObject text =
        new JsonObject()
            .put("pid", ProcessHandle.current().pid())
            .put("executor", engine.tasks().executor())
            .put("started", started.toString())
            .put("ended", ended == null ? null : ended.toString())
            .put("attempts", engine.tasks().endedAttempts())
            .put("failedAttempts", engine.tasks().failedAttempts())
            .put("leakedBytes", engine.tasks().leakedBytes())
            .put("spillFilesLeft", spillFiles.size())
            .putTexts(
                "spillFiles", spillFiles.subList(0, Math.min(spillFiles.size(), NAMED_FILES)));
    ledger.ifPresent(
        now ->
            text.putInline(
                "spillway",
                List.of(
                    new JsonObject()
                        .put("usedBytes", now.usedBytes())
                        .put("leakedBytes", now.leakedBytes())
                        .put("reclaimedBytes", now.reclaimedBytes())
                        .putTexts("owners", now.owners()))));
    if (plan == null) {
      plan = engine.plan().toYaml();
    }
    return text.put("plan", plan) + "\n";
  }

  /** Stops the timer and writes the last word. */
  @Override
  public void close() throws IOException {
    timer.shutdownNow();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The JVM is going down already: the hook writes the last word too.
    }
    end();
    samples.close();
  }
}
