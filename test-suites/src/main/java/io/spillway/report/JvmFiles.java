package io.spillway.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the agent of one JVM wrote into a run's directory.
 *
 * @param pid the JVM's process id
 * @param points its counts
 * @param totals its totals; those of an agent that wrote none are empty and it has not ended
 * @param fired its faults, in the order of firing
 * @param attempts how the attempts ended that are worth a line
 * @param samples its memory, in the order of time
 */
public record JvmFiles(
    long pid,
    JsonNode points,
    Totals totals,
    List<FiredFault> fired,
    List<AttemptEnd> attempts,
    List<MemorySample> samples) {
  private static final Pattern NAME = Pattern.compile("points-(\\d{1,12})\\.json");

  /**
   * Totals of a JVM.
   *
   * @param executor Spark's id; null if no task ran and nothing fired
   * @param started when the plan was armed, ISO 8601; null if the agent wrote no totals
   * @param ended when the JVM ended in order or the agent left it; null if neither was seen
   * @param leakedBytes that Spark's clean-up found charged to attempts that had succeeded
   * @param spillway ledgers of Spillway, none or one
   * @param plan the armed plan as YAML
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Totals(
      String executor,
      String started,
      String ended,
      long attempts,
      long failedAttempts,
      long leakedBytes,
      int spillFilesLeft,
      List<String> spillFiles,
      List<NativeLedger> spillway,
      String plan) {
    static final Totals NONE = new Totals(null, null, null, 0, 0, 0, 0, null, null, null);

    /** What is absent is empty. */
    public Totals {
      spillFiles = spillFiles == null ? List.of() : List.copyOf(spillFiles);
      spillway = spillway == null ? List.of() : List.copyOf(spillway);
    }
  }

  /** Spillway's native memory in a JVM: live now, left by attempts that succeeded, taken back. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record NativeLedger(
      long usedBytes, long leakedBytes, long reclaimedBytes, List<String> owners) {
    /** What is absent is empty. */
    public NativeLedger {
      owners = owners == null ? List.of() : List.copyOf(owners);
    }
  }

  /** Whether the JVM, or the agent in it, came to an orderly end. */
  public boolean ended() {
    return totals.ended() != null;
  }

  /**
   * Faults that its counts tell of and that are not on record. Each is written down before it is
   * counted, so a record that is whole has none, however its JVM ended.
   */
  public long faultsMissing() {
    if (points.path("mode").asText().equals("dry-run")) {
      return 0;
    }
    long counted = 0;
    for (JsonNode point : points.path("points")) {
      counted += point.path("fired").asLong();
    }
    return Math.max(0, counted - fired.size());
  }

  /** The executor's id; the process where no id is known. */
  public String executor() {
    if (totals.executor() != null) {
      return totals.executor();
    }
    // Written with each fault: a JVM that is killed right after its first has said it only there.
    String ofFault = fired.isEmpty() ? "" : fired.get(0).executor();
    return points.path("executor").asText(ofFault.isEmpty() ? "process " + pid : ofFault);
  }

  /**
   * Reads the files of all JVMs, by process id.
   *
   * @throws RecordException if a file cannot be read as what it should be
   */
  public static List<JvmFiles> readAll(Path directory) {
    Set<Long> pids = new TreeSet<>();
    if (Files.isDirectory(directory)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "points-*.json")) {
        for (Path file : files) {
          Matcher name = NAME.matcher(file.getFileName().toString());
          if (name.matches()) {
            pids.add(Long.parseLong(name.group(1)));
          }
        }
      } catch (IOException e) {
        throw new RecordException(directory + " cannot be read: " + e, e);
      }
    }
    return pids.stream().map(pid -> read(directory, pid)).toList();
  }

  private static JvmFiles read(Path directory, long pid) {
    Path totals = directory.resolve("jvm-" + pid + ".json");
    return new JvmFiles(
        pid,
        whole(directory.resolve("points-" + pid + ".json"), JsonNode.class),
        Files.exists(totals) ? whole(totals, Totals.class) : Totals.NONE,
        lines(directory.resolve("fired-" + pid + ".jsonl"), FiredFault.class),
        lines(directory.resolve("attempts-" + pid + ".jsonl"), AttemptEnd.class),
        lines(directory.resolve("memory-" + pid + ".jsonl"), MemorySample.class));
  }

  private static <T> T whole(Path file, Class<T> type) {
    try {
      return present(Json.LINES.readValue(file.toFile(), type));
    } catch (IOException e) {
      throw new RecordException(file + " is not what the agent writes: " + first(e), e);
    }
  }

  private static <T> List<T> lines(Path file, Class<T> type) {
    List<T> values = new ArrayList<>();
    if (!Files.exists(file)) {
      return values;
    }
    int number = 0;
    try {
      // Not readAllLines: half a line may end within a character.
      String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      int whole = text.lastIndexOf('\n') + 1;
      for (String line : text.substring(0, whole).lines().toList()) {
        number++;
        // What a full disk cut off is closed by the next line; a JVM that was killed leaves a last
        // line without an end.
        boolean half = line.startsWith("{") && !line.endsWith("}");
        if (!line.isBlank() && !half) {
          values.add(present(Json.LINES.readValue(line, type)));
        }
      }
      return values;
    } catch (IOException e) {
      throw new RecordException(
          file + ", line " + number + " is not what the agent writes: " + first(e), e);
    }
  }

  /** JSON's null is nothing that the agent writes. */
  private static <T> T present(T value) throws IOException {
    if (value == null) {
      throw new IOException("null");
    }
    return value;
  }

  private static String first(IOException e) {
    return e.toString().lines().findFirst().orElse("");
  }
}
