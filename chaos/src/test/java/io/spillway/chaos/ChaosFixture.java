package io.spillway.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;

/** What tests of the armed agent share: arming in this JVM, a local Spark, the fired file. */
final class ChaosFixture {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ChaosFixture() {}

  /** Arms rules, each in YAML's flow style; {@link ChaosAgent#uninstall()} takes them away. */
  static ChaosController arm(Path out, long seed, String... rules) {
    String yaml = "{version: 1, seed: " + seed + ", rules: [" + String.join(", ", rules) + "]}";
    return ChaosAgent.arm(FaultPlan.parse("test", yaml), out, ByteBuddyAgent.install());
  }

  /** A rule for a point, with the mildest fault that it can carry. */
  static String rule(FaultPoint point, String when) {
    String fault =
        point.faults().contains(Fault.Delay.ID)
            ? "{delay: {millis: 1}}"
            : point.faults().get(point.faults().size() - 1);
    return "{point: " + point.id() + ", fault: " + fault + ", when: " + when + "}";
  }

  /** A local context; {@code master} as {@code local[2,4]}: Spark retries nothing without the 4. */
  static SparkContext spark(String master) {
    return new SparkContext(
        new SparkConf()
            .setMaster(master)
            .setAppName("chaos-test")
            .set("spark.driver.host", "localhost")
            .set("spark.driver.bindAddress", "127.0.0.1"));
  }

  /** All lines of the fired file, in the order of firing. */
  static List<JsonNode> fired(ChaosController controller) {
    return fired(controller.firedFile());
  }

  static List<JsonNode> fired(Path file) {
    List<JsonNode> lines = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(file)) {
        lines.add(JSON.readTree(line));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines;
  }

  /** One point of a points file. */
  static JsonNode point(JsonNode counts, String id) {
    for (JsonNode point : counts.get("points")) {
      if (point.get("name").asText().equals(id)) {
        return point;
      }
    }
    throw new AssertionError("no point " + id + " in " + counts);
  }

  static JsonNode json(Path file) {
    try {
      return JSON.readTree(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The keys of what fired, sorted: what two runs with one seed have in common. */
  static Set<String> keys(List<JsonNode> fired) {
    Set<String> keys = new TreeSet<>();
    for (JsonNode line : fired) {
      keys.add(
          "%s/%s/%s/%s/%s/%s/%s"
              .formatted(
                  line.get("label").asText(),
                  line.get("stage"),
                  line.get("partition"),
                  line.get("attempt"),
                  line.get("point").asText(),
                  line.get("call"),
                  line.get("rule")));
    }
    return keys;
  }
}
