package io.spillway.drill;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * How often each fault point was reached, summed over the agents of a pass.
 *
 * @param byPoint counts by the point's name; a point that no agent told of is absent
 */
record PointCounts(Map<String, Count> byPoint) {
  static final PointCounts NONE = new PointCounts(Map.of());

  /** Of one point, over all agents. */
  record Count(boolean instrumented, long reached) {
    private Count plus(Count other) {
      return new Count(instrumented || other.instrumented, reached + other.reached);
    }
  }

  /** Reads what all agents wrote into a folder. */
  static PointCounts readAll(Path directory) throws IOException {
    Map<String, Count> counts = new HashMap<>();
    if (Files.isDirectory(directory)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "points-*.json")) {
        for (Path file : files) {
          for (JsonNode point : Json.MAPPER.readTree(file.toFile()).path("points")) {
            Count count =
                new Count(point.path("instrumented").asBoolean(), point.path("reached").asLong());
            counts.merge(point.path("name").asText(), count, Count::plus);
          }
        }
      }
    }
    return new PointCounts(counts);
  }

  boolean instrumented(String point) {
    return byPoint.containsKey(point) && byPoint.get(point).instrumented();
  }

  long reached(String point) {
    return byPoint.containsKey(point) ? byPoint.get(point).reached() : 0;
  }
}
