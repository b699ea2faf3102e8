package io.spillway.compare;

import io.spillway.drill.UsageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What runs the queries. */
public enum Engine {
  /** Spark's own operators. */
  SPARK,
  /** Spillway's native operators. */
  SPILLWAY,
  /** Apache DataFusion Comet's native operators. */
  COMET;

  /** The version that is run against. */
  static final String COMET_ARTIFACT = "comet-spark-spark3.5_2.12";

  static final String COMET_VERSION = "0.12.0";

  /** Its name on the command line and in reports. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads a comma-separated list, each engine once.
   *
   * @throws UsageException with one sentence if a name is unknown or none is given
   */
  static List<Engine> parse(String text) {
    List<Engine> engines = new ArrayList<>();
    for (String name : text.split(",", -1)) {
      Engine engine =
          Arrays.stream(values())
              .filter(one -> one.id().equals(name.strip()))
              .findFirst()
              .orElseThrow(
                  () ->
                      new UsageException(
                          "--engines: unknown engine '%s'; the engines are %s"
                              .formatted(
                                  name,
                                  Arrays.stream(values())
                                      .map(Engine::id)
                                      .collect(Collectors.joining(", ")))));
      if (!engines.contains(engine)) {
        engines.add(engine);
      }
    }
    return engines;
  }

  /** Adds what the engine needs beside plain Spark, its memory apart. */
  public void addTo(Map<String, String> conf) {
    switch (this) {
      case SPARK -> {
        // Nothing: these are Spark's own settings.
      }
      case SPILLWAY -> conf.put("spark.plugins", "io.spillway.SpillwayPlugin");
      case COMET -> {
        conf.put("spark.plugins", "org.apache.spark.CometPlugin");
        conf.put(
            "spark.shuffle.manager",
            "org.apache.spark.sql.comet.execution.shuffle.CometShuffleManager");
        conf.put("spark.comet.enabled", "true");
        conf.put("spark.comet.exec.enabled", "true");
        conf.put("spark.comet.exec.shuffle.enabled", "true");
      }
    }
  }
}
