package io.spillway.drill;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Runs one JVM at a time, listens to its progress, and ends it with everything that it started. */
public final class ChildJvm {
  private static final long GRACE_SECONDS = 10;

  /** A JVM that has told of no progress for so long hangs: it is ended, and its exit code tells. */
  private static final long SILENCE_MINUTES = 30;

  private static final long WATCH_SECONDS = 5;

  private final AtomicReference<Process> running = new AtomicReference<>();
  private volatile boolean stopped;

  /**
   * What starts a JVM that drives Spark, up to its main class: more options may follow.
   *
   * @param temporary folder for its temporary files, made if it is missing
   * @param heapMiB the most heap
   */
  public static List<String> command(String classPath, Path temporary, int heapMiB)
      throws IOException {
    Files.createDirectories(temporary);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(PassConf.moduleOptions()));
    command.addAll(List.of("-Xmx" + heapMiB + "m", "-Duser.timezone=UTC"));
    command.addAll(List.of("-Djava.io.tmpdir=" + temporary, "-cp", classPath));
    return command;
  }

  /**
   * Runs a command to its end.
   *
   * @param environment variables beside those of this process
   * @param log file that gets its standard error
   * @param progress called with each progress line, on the calling thread
   * @return its exit code
   */
  public int run(
      List<String> command, Map<String, String> environment, Path log, Consumer<String> progress)
      throws IOException, InterruptedException {
    Files.createDirectories(log.toAbsolutePath().getParent());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    builder.redirectError(log.toFile());
    builder.directory(log.toAbsolutePath().getParent().toFile());
    Process process = builder.start();
    running.set(process);
    AtomicLong heardNanos = new AtomicLong(System.nanoTime());
    ScheduledExecutorService watch = watch(process, heardNanos);
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      if (stopped) {
        end(process);
      }
      process.getOutputStream().close();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        heardNanos.set(System.nanoTime());
        ChildEvents.progressOf(line).ifPresent(progress);
      }
      return process.waitFor();
    } finally {
      watch.shutdownNow();
      running.set(null);
      end(process);
    }
  }

  /** Ends the JVM that runs now, if any, and keeps others from starting. Any thread may call. */
  public void stop() {
    stopped = true;
    Process process = running.get();
    if (process != null) {
      end(process);
    }
  }

  private static ScheduledExecutorService watch(Process process, AtomicLong heardNanos) {
    ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
    var unused =
        watch.scheduleWithFixedDelay(
            () -> {
              long silentNanos = System.nanoTime() - heardNanos.get();
              if (silentNanos > TimeUnit.MINUTES.toNanos(SILENCE_MINUTES)) {
                end(process);
              }
            },
            WATCH_SECONDS,
            WATCH_SECONDS,
            TimeUnit.SECONDS);
    return watch;
  }

  private static void end(Process process) {
    List<ProcessHandle> started = process.descendants().toList();
    if (process.isAlive()) {
      // Spark's own shutdown hook stops the executors.
      process.destroy();
      try {
        if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
    started.forEach(ProcessHandle::destroyForcibly);
  }
}
