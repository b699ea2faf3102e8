package io.spillway.drill;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One fault that fired, as the agent wrote it down.
 *
 * @param stage ordinal of the stage in the query, from 0
 * @param stageId Spark's id of that stage
 * @param call index of the call at this point within the attempt, from 1
 * @param rule number of the plan's rule, from 1
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record FiredFault(
    String label,
    int stage,
    int stageId,
    int partition,
    int attempt,
    String point,
    long call,
    int rule,
    String fault,
    String operator,
    String executor) {

  private static final int DIGEST_CHARACTERS = 16;

  /** What decides this fault together with the seed: the same in every run that reaches it. */
  String key() {
    return String.join(
        " ",
        label,
        "stage=" + stage,
        "partition=" + partition,
        "attempt=" + attempt,
        point,
        "call=" + call,
        fault);
  }

  /** Reads what all agents wrote into a folder, sorted by key. */
  static List<FiredFault> readAll(Path directory) throws IOException {
    List<FiredFault> fired = new ArrayList<>();
    if (Files.isDirectory(directory)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "fired-*.jsonl")) {
        for (Path file : files) {
          for (String line : Files.readAllLines(file)) {
            if (!line.isBlank()) {
              fired.add(Json.LINES.readValue(line, FiredFault.class));
            }
          }
        }
      }
    }
    fired.sort(Comparator.comparing(FiredFault::key));
    return fired;
  }

  /** A short digest of the fired set: equal for two runs that fired at the same keys. */
  static String digest(List<FiredFault> fired) {
    String keys = fired.stream().map(FiredFault::key).sorted().collect(Collectors.joining("\n"));
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(keys.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, DIGEST_CHARACTERS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
