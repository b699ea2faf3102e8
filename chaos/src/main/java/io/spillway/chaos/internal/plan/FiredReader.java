package io.spillway.chaos.internal.plan;

import io.spillway.chaos.Fault;
import io.spillway.chaos.FaultKey;
import io.spillway.chaos.FaultPlan;
import io.spillway.chaos.FaultPoint;
import io.spillway.chaos.FaultRule;
import io.spillway.chaos.Limits;
import io.spillway.chaos.PlanException;
import io.spillway.chaos.Scope;
import io.spillway.chaos.Trigger;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads the lines that agents wrote for the faults that fired, and makes the plan that fires them
 * again. A JSON object on a line is YAML too, so the plan's own bounded reader does it.
 */
public final class FiredReader {
  private static final List<String> KEYS =
      List.of(
          "seed",
          "label",
          "stage",
          "partition",
          "attempt",
          "point",
          "call",
          "rule",
          "fault",
          "stageId",
          "stageAttempt",
          "taskAttemptId",
          "operator",
          "executor",
          "thread",
          "time");

  private static final Comparator<FaultKey> ORDER =
      Comparator.comparing(FaultKey::label)
          .thenComparing(FaultKey::stage)
          .thenComparing(FaultKey::stageAttempt)
          .thenComparing(FaultKey::partition)
          .thenComparing(FaultKey::attempt)
          .thenComparing(FaultKey::call);

  private static final Comparator<Target> TARGETS =
      Comparator.comparing(Target::point).thenComparing(target -> target.fault().describe());

  private final Map<Target, SortedSet<FaultKey>> keys = new TreeMap<>(TARGETS);
  private Optional<Long> seed = Optional.empty();

  private FiredReader() {}

  /** What a rule of the replay is for. */
  private record Target(FaultPoint point, Fault fault) {}

  /**
   * The plan that fires what the files tell.
   *
   * @param sources files, or directories with {@code fired-*.jsonl}
   * @throws PlanException if anything in them is not what the agent writes, or nothing fired
   */
  public static FaultPlan replay(List<Path> sources) {
    FiredReader reader = new FiredReader();
    List<Path> files = files(sources);
    files.forEach(reader::file);
    if (reader.keys.isEmpty()) {
      throw new PlanException(
          sources.toString(), 0, "nothing fired in %d files".formatted(files.size()));
    }
    List<FaultRule> rules = new ArrayList<>();
    reader.keys.forEach(
        (target, keys) ->
            rules.add(
                new FaultRule(
                    target.point(),
                    target.fault(),
                    new Trigger.Keys(List.copyOf(keys)),
                    Scope.ALL_ATTEMPTS,
                    Limits.NONE)));
    return new FaultPlan(
        reader.seed.orElseThrow(), Optional.empty(), Optional.empty(), FaultPlan.Mode.FIRE, rules);
  }

  private static List<Path> files(List<Path> sources) {
    List<Path> files = new ArrayList<>();
    for (Path source : sources) {
      if (!Files.isDirectory(source)) {
        files.add(source);
        continue;
      }
      try (DirectoryStream<Path> inside = Files.newDirectoryStream(source, "fired-*.jsonl")) {
        inside.forEach(files::add);
      } catch (IOException e) {
        throw unreadable(source, e);
      }
    }
    return files;
  }

  private void file(Path file) {
    String text;
    try {
      // Half a character at the end of half a line is no reason to refuse the others.
      text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
    // What comes after the last line end is half a line of a JVM that was killed: it fired nothing.
    List<String> lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        YamlSource source = new YamlSource(file.toString(), i);
        line(new YamlFields(source, source.compose(lines.get(i)), "the fault", KEYS));
      }
    }
  }

  private void line(YamlFields line) {
    line.required("seed");
    long lineSeed = line.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE).orElseThrow();
    if (seed.isPresent() && seed.get() != lineSeed) {
      throw line.problem(
          "seed",
          "seed %d after lines with seed %d: the files are of two runs"
              .formatted(lineSeed, seed.get()));
    }
    seed = Optional.of(lineSeed);
    line.required("point");
    String id = line.text("point").orElseThrow();
    FaultPoint point =
        FaultPoint.byId(id)
            .orElseThrow(
                () ->
                    line.problem(
                        "point",
                        "unknown point '%s'; the points are %s".formatted(id, FaultPoint.ids())));
    line.required("fault");
    String text = line.text("fault").orElseThrow();
    Fault fault = FaultReader.described(text);
    if (fault == null || !point.faults().contains(fault.id())) {
      throw line.problem("fault", "'%s' is no fault that %s can carry".formatted(text, id));
    }
    keys.computeIfAbsent(new Target(point, fault), target -> new TreeSet<>(ORDER)).add(key(line));
  }

  private static FaultKey key(YamlFields line) {
    long call = line.calls("call").get(0);
    int partition = number(line, "partition", -1);
    if (partition < 0) {
      return FaultKey.outsideTask(call);
    }
    return new FaultKey(
        line.anyText("label"),
        number(line, "stage", Integer.MIN_VALUE),
        partition,
        number(line, "attempt", 0),
        number(line, "stageAttempt", 0),
        call);
  }

  private static int number(YamlFields line, String key, int least) {
    line.required(key);
    return (int) line.whole(key, least, Integer.MAX_VALUE).orElseThrow();
  }

  private static PlanException unreadable(Path file, IOException e) {
    return new PlanException(
        file.toString(), 0, "it cannot be read: " + e.getClass().getSimpleName(), e);
  }
}
