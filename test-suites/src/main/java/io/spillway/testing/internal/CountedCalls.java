package io.spillway.testing.internal;

import io.spillway.chaos.ChaosController;
import io.spillway.chaos.FaultPoint;
import io.spillway.report.FiredFault;
import io.spillway.report.Json;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Reads what a dry run wrote down: every call of first attempts, with its operator. */
final class CountedCalls {
  private final Path file;
  private final long from;

  /** Counts from now on. */
  CountedCalls(ChaosController dryRun) {
    this.file = dryRun.firedFile();
    try {
      this.from = Files.exists(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      throw new UncheckedIOException("the counts in " + file + " cannot be read", e);
    }
  }

  /** The calls so far, by point, stage, partition and index. */
  List<Call> read() {
    List<Call> calls = new ArrayList<>();
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      byte[] bytes = new byte[Math.toIntExact(in.length() - from)];
      in.seek(from);
      in.readFully(bytes);
      for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n", -1)) {
        if (!line.isEmpty()) {
          FiredFault call = Json.LINES.readValue(line, FiredFault.class);
          calls.add(
              new Call(
                  FaultPoint.byId(call.point()).orElseThrow(),
                  call.stage(),
                  call.partition(),
                  call.call(),
                  call.operator()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the counts in " + file + " cannot be read", e);
    }
    calls.sort(
        Comparator.comparing(Call::point)
            .thenComparing(Call::stage)
            .thenComparing(Call::partition)
            .thenComparing(Call::call));
    return calls;
  }
}
