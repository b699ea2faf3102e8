package io.spillway.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What Spark's event log tells of an application: how every task attempt ended, and which executors
 * were lost before its end.
 */
record EventLog(List<AttemptEnd> attempts, List<ExecutorLost> lost) {
  static final EventLog NONE = new EventLog(List.of(), List.of());

  private static final List<String> COMPRESSED = List.of(".zstd", ".lz4", ".lzf", ".snappy");

  /**
   * Reads an event log.
   *
   * @param file one file, uncompressed
   * @throws RecordException if it is no such file
   */
  static EventLog read(Path file) {
    String name = file.getFileName().toString();
    if (COMPRESSED.stream().anyMatch(name::endsWith)) {
      throw new RecordException(
          file + " is compressed; run the job with spark.eventLog.compress=false");
    }
    if (!Files.isRegularFile(file)) {
      throw new RecordException(
          Files.isDirectory(file)
              ? file
                  + " is a directory: give the event log's file, of a job without"
                  + " spark.eventLog.rolling.enabled"
              : "there is no event log " + file);
    }
    List<AttemptEnd> attempts = new ArrayList<>();
    List<ExecutorLost> lost = new ArrayList<>();
    boolean started = false;
    int number = 0;
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (line.isBlank()) {
          continue;
        }
        JsonNode event = Json.LINES.readTree(line);
        switch (event.path("Event").asText()) {
          case "SparkListenerLogStart", "SparkListenerApplicationStart" -> started = true;
          case "SparkListenerTaskEnd" -> attempts.add(attempt(event));
          case "SparkListenerExecutorRemoved" ->
              lost.add(
                  ExecutorLost.told(
                      event.path("Executor ID").asText(),
                      AttemptEnd.shortened(event.path("Removed Reason").asText())));
          // What comes after it is Spark's own farewell to its executors.
          case "SparkListenerApplicationEnd" -> {
            return new EventLog(attempts, lost);
          }
          default -> {
            // The log tells of much else.
          }
        }
      }
    } catch (IOException e) {
      throw new RecordException(
          file + ", line " + number + " is not of an event log: " + e.getClass().getSimpleName(),
          e);
    }
    if (!started) {
      throw new RecordException(file + " is no event log: no application starts in it");
    }
    return new EventLog(attempts, lost);
  }

  private static AttemptEnd attempt(JsonNode event) {
    JsonNode task = event.path("Task Info");
    JsonNode reason = event.path("Task End Reason");
    String kind = reason.path("Reason").asText();
    boolean succeeded = kind.equals("Success");
    long launched = task.path("Launch Time").asLong();
    String failure =
        kind.equals("ExceptionFailure")
            ? reason.path("Class Name").asText() + ": " + reason.path("Description").asText()
            : kind;
    return new AttemptEnd(
        "",
        event.path("Stage ID").asInt(),
        event.path("Stage Attempt ID").asInt(),
        task.path("Partition ID").asInt(task.path("Index").asInt()),
        task.path("Attempt").asInt(),
        task.path("Executor ID").asText(),
        launched,
        task.path("Finish Time").asLong() - launched,
        AttemptEnd.resultOf(succeeded, kind.equals("TaskKilled")),
        succeeded ? null : AttemptEnd.shortened(failure),
        kind.equals("ExecutorLostFailure"),
        0,
        List.of(),
        List.of());
  }
}
